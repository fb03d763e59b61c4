"""What the server does under load: many labellers at once, a server killed under them, a database restarted."""

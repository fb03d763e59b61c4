"""The routes of the server, by who uses them."""

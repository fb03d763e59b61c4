"""The command line; one file a command group. Nothing numerical is imported before a command needs it."""

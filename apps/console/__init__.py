"""Management commands: translate the command line, make one call, print the answer."""

"""Management commands: parse the command line, make one call, print the result."""

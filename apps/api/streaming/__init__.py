"""The live stream of settled events (A2): one reading a process, told to all who follow."""

"""The live stream of committed events (A2): one feed per simulation and process."""

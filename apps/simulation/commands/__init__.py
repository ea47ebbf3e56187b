"""Commands of users to a simulation: one module for each kind, and the registry of kinds."""

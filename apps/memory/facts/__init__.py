"""Lasting facts about an agent with their evidence: occupation, pursuits, relationships."""

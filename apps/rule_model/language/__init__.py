"""A small English toolkit: dates, names, grammatical person and topics of sentences."""

"""Planning of the rule-based model: days, hours, actions, places and their objects."""

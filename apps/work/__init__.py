"""Work that requests record and processes carry out: its rows, its states, its verbs."""

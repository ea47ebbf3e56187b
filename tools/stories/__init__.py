"""Stories: an agent's day in Markdown, written from the log and its rows alone."""

"""A person's day as a story: read from rows and log, told in Markdown, nothing invented."""

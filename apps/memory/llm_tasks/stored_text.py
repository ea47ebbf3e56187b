"""What the fields of answers ask for whose text becomes a memory."""

# The text is stored word for word and read on other days.
DATED = 'dates and times in full, never words such as "tonight" or "tomorrow"'

"""The pages of the admin that show why agents act as they do (A4)."""

"""The web server: uvicorn, with a connection limit and with timeouts for every phase."""

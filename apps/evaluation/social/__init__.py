"""Social measures of a history as of a moment: news, the network, what is kept (E4)."""

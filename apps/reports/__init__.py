"""Reports: their parts as Markdown and HTML, and tables as CSV and Parquet."""

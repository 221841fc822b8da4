"""From Markdown to the site: reads what was drawn, puts in what is quoted, finds what is wrong."""

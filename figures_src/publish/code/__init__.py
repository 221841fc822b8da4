"""Code of the pages and of the core: what it prints, pieces to copy, and the core as a file."""

"""The film: what moves in each stage, and when."""

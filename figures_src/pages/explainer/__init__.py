"""The page docs/index.md: its figures and its numbers."""

"""The page docs/checkpoint.md: its figures, its numbers and the questions at its end."""

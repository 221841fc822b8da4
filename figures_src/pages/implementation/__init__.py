"""The page docs/implementation.md: its figures, its numbers and the questions at its end."""

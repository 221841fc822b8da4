"""The page docs/masks.md: its figures, its numbers and the questions at its end."""

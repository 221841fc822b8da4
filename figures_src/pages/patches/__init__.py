"""The page docs/patches.md: its figures, its numbers and the questions at its end."""

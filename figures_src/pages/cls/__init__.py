"""The page docs/cls.md: its figures, its numbers and the questions at its end."""

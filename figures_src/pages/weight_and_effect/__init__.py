"""The page docs/weight-and-effect.md: its figures, its numbers and the questions at its end."""

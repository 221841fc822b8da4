"""The page docs/cost.md: its figures, its numbers and the questions at its end."""

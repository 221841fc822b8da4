"""The page docs/maps.md: its figures, its numbers and the questions at its end."""

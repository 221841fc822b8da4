"""The page docs/learned-heads.md: its figures, its numbers and the questions at its end."""

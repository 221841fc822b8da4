"""The page docs/global-local.md: its figures, its numbers and the questions at its end."""

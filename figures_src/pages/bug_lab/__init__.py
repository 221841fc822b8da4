"""The page docs/bug-lab.md: its figures, its numbers and the questions at its end."""

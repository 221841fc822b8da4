"""The page docs/questions.md: its figures and the questions at its end."""

"""The page docs/test-yourself.md: the questions at its end."""

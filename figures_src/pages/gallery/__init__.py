"""The page docs/gallery.md: its figures."""

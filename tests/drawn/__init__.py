"""What each figure draws, read back from its built markup and computed here once more.

`marks.py` reads; the other modules say, figure by figure, what must be found. A mark or a number that
a reader leaves unread fails as a wrong one does (tests/pages/test_drawn_figures.py).
"""

"""Folds of the player: what waits under a question, one module a fold.

A fold's script, docs/javascripts/<name>.js, is loaded when the fold is first opened; it registers
itself with `vitattn.part`. Without JavaScript a fold is not shown.
"""

"""Draws: numbers in, markup out. Nothing here knows a page, a player, a state or a picked row."""

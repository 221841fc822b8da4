"""Files to take away: every stage as one SVG, every chapter and the whole film as one that moves.

The marks are those of the player's plates; here they get places, sizes and colours of their own, so
that a file needs no style sheet, no script and no other file. sheet.py puts a picture together.
"""

"""The film, one module a chapter: what moves at a stage, as data. timeline.py puts them together."""

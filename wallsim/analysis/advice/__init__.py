"""Advice before a decision of a game: the plan that a search prefers, and how much worse others are."""

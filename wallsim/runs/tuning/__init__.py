"""Tuning: a search in self-play for better weights of a policy, saved in a folder so that it can be resumed."""

"""Tuning: a search in self-play for better weights of a policy, kept in a folder so that it can go on."""

"""Custom towers: logs of casts, what they say of the models, and the tower file that comes of it."""

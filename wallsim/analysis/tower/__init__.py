"""A tower of one's own: logs of casts, what they say of the models, and the tower file that comes of it."""

"""Custom towers: logs of casts, fits of the models to them, and the tower files written from the fits."""

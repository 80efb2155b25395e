"""The strategy report: pages for readers, made from the register of figures without playing a game."""

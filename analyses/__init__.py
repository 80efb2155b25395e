"""Studies: questions about the game, each a module with the experiment file beside it, run by `driver`."""

"""Studies: questions about the game, one folder each; `wallsim.studies` is their frame."""

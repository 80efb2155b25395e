"""Treatments: policy files that give or deny one thing to one seat of each game, and else play as their weights say.

Which seat and which thing follows from the number of the game, as `seat = "turn"` does in interventions. No player
could know that number: these are no players but arms of an experiment.
"""

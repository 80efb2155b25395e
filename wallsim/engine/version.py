"""The version of the game's behaviour: bumped whenever some game of some seed would be played differently."""

ENGINE_VERSION = 5

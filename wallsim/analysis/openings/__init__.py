"""The first plans of a game: which card each seat lays on which box, what came of it, and what another card does."""

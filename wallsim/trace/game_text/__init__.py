"""A game or a position as text that people type from photos: reading, checking and writing it."""

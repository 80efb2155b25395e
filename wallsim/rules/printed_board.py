"""The printed board, loaded once, for code that asks for it very often: of every word of a text, and of every state."""

from __future__ import annotations

from functools import cache

from wallsim.rules.board import Board, load_board


@cache
def printed_board() -> Board:
    """The board that ships with the package."""
    return load_board()

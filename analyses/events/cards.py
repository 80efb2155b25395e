"""The event cards and the winters of the study `events`."""

from __future__ import annotations

from pathlib import Path

from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BOARD = load_board()
CARDS = BOARD.events
LOSSES = {card: int(loss) for card, loss in zip(CARDS, BOARD.event_loss, strict=True)}
WINTERS = {name: place for place, name in enumerate(SEASON_NAMES) if name not in ROUND_NAMES}

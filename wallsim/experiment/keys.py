"""The definition of each key of an experiment, for its field, its option, the template and messages about it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from wallsim.errors import InputError, short
from wallsim.experiment.chunks import MAX_CHUNK
from wallsim.rules.terms import EXPANSIONS

_MAX_CHARACTERS = 200  # longest quotation of an invalid value in a message
_MAX_TEXT = 100  # longest number that is read


def shown(value: Any) -> str:
    """A value of a file as it is quoted in messages: cut off if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python does not convert integers of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 3]}..."


def whole_number(text: str) -> int | str:
    """A text as a whole number; a text that is not one, or is far too long, is returned unchanged for validation."""
    return int(text) if len(text) <= _MAX_TEXT and re.fullmatch(r"-?[0-9]+(_[0-9]+)*", text) else text


MAX_GAMES = 10**10
MAX_SEED = 2**63 - 1
ALL_EXPANSIONS = "all"


@dataclass(frozen=True)
class Key:
    """A key: what it may be, and the words about it.

    `allowed` follows "is not" in a message. `least` and `most` are the bounds of a number. `metavar` and `help` are
    those of its option; a key without them has no option. `option` is the option's name if it is not the key's. `read`
    says how the text of an option becomes a value. `comment` stands beside the key in a new file, where it has its
    default, or as a comment the value `example`; `line` is the whole line of a key that is itself a table.
    """

    allowed: str
    metavar: str | None = None
    help: str = ""
    option: str = ""
    read: Literal["text", "number", "decimal", "list", "flag", "folder", "switches", "steps"] = "text"
    default: Any = None
    least: float | None = None
    most: float | None = None
    comment: str = ""
    example: Any = None
    line: str = ""


def number_key(least: int, most: int, default: int | None, **words: Any) -> Key:
    """A key whose value is a whole number within bounds."""
    return Key(
        f"a whole number from {least} to {most}", read="number", least=least, most=most, default=default, **words
    )


def decimal_key(least: float, most: float, default: float | None, **words: Any) -> Key:
    """A key whose value is a number within bounds."""
    allowed = f"a number from {least:g} to {most:g}"
    return Key(allowed, read="decimal", least=least, most=most, default=default, **words)


def read_number(name: str, key: Key, text: str | None) -> Any:
    """The number that a text of a key stands for, None for none. InputError if it is no number within the bounds."""
    if text is None:
        return None
    assert key.least is not None
    assert key.most is not None
    value: int | float | str = whole_number(text) if key.read == "number" else _decimal(text)
    if isinstance(value, str) or not key.least <= value <= key.most:
        raise InputError(f'{name}: "{short(text)}" is not {key.allowed}')
    return value


def _decimal(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


EXPERIMENT_KEYS: Mapping[str, Key] = {
    "name": Key(
        "up to 80 letters, digits, blanks or . + -",
        comment="a title, also used for the name of the folder under results/; default: none",
        example="my experiment",
    ),
    "players": Key(
        "one of 3, 4, 5", "N", "Number of players: 3, 4 or 5.", read="number", default=4, comment="3, 4 or 5"
    ),
    "setup": Key(
        "one of lineup, draft, deal", "lineup|draft", "Set-up: printed line-ups or a draft.", default="lineup",
        comment='"lineup": the printed line-ups for beginners; "draft": the normal set-up; "deal": at random',
    ),
    "lineups": Key(
        "a list of line-up letters, one per seat", "A,B,...", "Line-up of each seat, in order.  [default: A,B,...]",
        read="list", default=(),
        comment="the line-up of each seat, in seat order; only with line-ups; default: A, B, C ...",
        example=["B", "A", "C", "D"],
    ),
    "edition": Key(
        "one of 2e, 1e", "2e|1e", "Second or first edition.", default="2e",
        comment='"2e": the second edition; "1e": the first',
    ),
    "expansions": Key(
        f"a list of some of {', '.join(EXPANSIONS)}, or {ALL_EXPANSIONS}", "NAME[,NAME...]|all",
        "Any of court, landsknechte, leaders; or all.  [default: none]", read="list", default=(),
        comment=f"some of {', '.join(map(json.dumps, EXPANSIONS))}; or \"all\"",
    ),
    "policies": Key(
        "the name of a policy or the path of its file, or a list of them, one per seat", "NAME[,NAME...]",
        "One for all seats, or one per seat: names (see `wallsim policies`) or .toml and .py files.", read="list",
        comment="one for all seats, or a list with one per seat: names (see below) or files (.toml, .py)",
    ),
    "games": number_key(1, MAX_GAMES, 10_000, metavar="N", help="Number of games.", comment="the number of games"),
    "seed": number_key(
        0, MAX_SEED, 1, metavar="N", help="Seed; with a game's number it determines all random events.",
        comment="the seed and a game's number determine all random events of the game",
    ),
    "tower": Key(
        "the name of a preset or the path of a .toml file", "NAME|FILE.toml", "The dice tower; see `wallsim towers`.",
        comment="the dice tower: a preset (see below) or the path of a .toml file",
    ),
    "board": Key(
        "the path of a board folder", "DIR", "Folder of a custom board, instead of the board of the game.",
        read="folder", comment="a folder with a custom board; default: the board of the game", example="my_board",
    ),
    "rules": Key(
        "a table of switches", "NAME=VALUE", "A switch of the rules, repeatable; see `wallsim rules`.",
        option="switch", read="switches",
    ),
    "seasons": Key(
        "true or false", help="Also write the table `seasons`: one row per game, season and seat.", read="flag",
        default=False, comment="true: also write the table `seasons`, one row per game, season and seat",
    ),
    "battles": Key(
        "true or false", help="Also write the table `battles`: one row per battle.", read="flag", default=False,
        comment="true: also write the table `battles`, one row per battle",
    ),
    "counties": Key(
        "true or false", help="Also write the table `counties`: one row per game, seat and county ever held.",
        read="flag", default=False,
        comment="true: also write the table `counties`, one row per game, seat and county that the seat ever held",
    ),
    "plans": Key(
        "true or false", help="Also write the table `plans`: one row per game, season and seat, with the ten boxes.",
        read="flag", default=False,
        comment="true: also write the table `plans`, one row per game, season and seat: the plan and what became of it",
    ),
    "columns": Key(
        "one of all, lean", "all|lean", "Columns of `games` and `seats`: all, or lean with wins and points only.",
        default="all",
        comment='"lean": of `games` and `seats` only wins and points, for long runs',
    ),
    "chunk": number_key(
        1, MAX_CHUNK, None, example=5_000,
        comment="games per file; default: small files first, then larger ones; it does not change any row",
    ),
    "amounts": Key(
        "a table of whole numbers by name, such as { palace_price = 4 }",
        line="# amounts = { palace_price = 4 }  # numbers of the game; `wallsim rules` lists them",
    ),
    "thalers": Key(
        "a table of whole numbers by seat or line-up, such as { A = 14, D = 17 }",
        line="# thalers = { A = 14, D = 17 }    # starting Thalers by line-up or seat; default: as printed",
    ),
    "without": Key(
        "a list of counties that are out of play", default=(),
        line='# without = ["Tirol"]             # counties that are out of play',
    ),
    "lineup": Key(
        "a table [lineup.LETTER] for each edited line-up, with exchange, or replace and the armies of each county; "
        "names with dots, blanks or letters other than A to Z need quotes",
        line='# lineup = { A = { exchange = { Baden = "Breisgau" } } }  '
        "# other counties in printed line-ups; docs/running.md",
    ),
    "interventions": Key(
        "a list of tables, each with `do`", "KEY=VALUE,...",
        "A change during each game, repeatable: 'do=hand, thalers=2, seat=0, round=start'.",
        option="intervene", read="steps", default=(),
        line='# interventions = [{ do = "hand", thalers = 2, seat = 0, round = "start" }]  '
        "# changes during each game; docs/interventions.md lists them",
    ),
}  # fmt: skip
OPTION_KEYS = tuple(name for name, key in EXPERIMENT_KEYS.items() if key.help)

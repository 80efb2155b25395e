"""A commented experiment file with every key at its default, as a starting point."""

from __future__ import annotations

import json
from typing import get_args, get_type_hints

from wallsim.policies.catalogue import policy_names
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.rules.terms import EXPANSIONS
from wallsim.rules.tower import tower_presets
from wallsim.runs.experiment import Experiment
from wallsim.runs.setup_keys import EDIT_KEYS
from wallsim.visible import visible_line

_HEAD = """\
# An experiment for wallsim: what is played, how many games, and which tables are written.
#
#     wallsim run {name}
#
# Every key is shown with its default. Delete the keys that you do not want to change. Only the options --games,
# --seed, --workers and --out can be combined with a file. Paths are relative to this file's folder. Tables
# [scenario.NAME] and [factor] at the end make several experiments of one file; docs/running.md shows how.
"""
# The meaning of each key; keys without a default are written as comments.
_MEANINGS = {
    "name": "a title, also used for the name of the folder under results/; default: none",
    "players": "3, 4 or 5",
    "setup": '"lineup": the printed line-ups for beginners; "draft": the normal set-up; "deal": at random',
    "lineups": "the line-up of each seat, in seat order; only with line-ups; default: A, B, C ...",
    "edition": '"2e": the second edition; "1e": the first',
    "expansions": 'some of {expansions}; or "all"',
    "policies": "one for all seats, or a list with one per seat: names (see below) or files (.toml, .py)",
    "games": "the number of games",
    "seed": "the seed and a game's number determine all random events of the game",
    "tower": "the dice tower: a preset (see below) or the path of a .toml file",
    "board": "a folder with a custom board; default: the board of the game",
    "seasons": "true: also write the table `seasons`, one row per game, season and seat",
    "battles": "true: also write the table `battles`, one row per battle",
    "counties": "true: also write the table `counties`, one row per game, seat and county that the seat ever held",
    "chunk": "games per file; default: small files first, then larger ones; it does not change any row",
}
_EXAMPLES = {"name": "my experiment", "lineups": ["B", "A", "C", "D"], "board": "my_board", "chunk": 5_000}
_INTERVENTIONS = (
    '# interventions = [{ do = "hand", thalers = 2, seat = 0, round = "start" }]  '
    "# changes in the midst of each game; docs/interventions.md lists them"
)
_EDITS = (
    "# amounts = { palace_price = 4 }  # numbers of the game; `wallsim rules` lists them",
    "# thalers = { A = 14, D = 17 }    # starting Thalers by line-up or seat; default: as printed",
    '# without = ["Tirol"]             # counties that are out of play',
    '# lineup = { A = { exchange = { Baden = "Breisgau" } } }  # other counties in printed line-ups; docs/running.md',
)
_WIDTH = 34  # columns before a comment


def experiment_template(name: str) -> str:
    """The text of an experiment file with the defaults, as read by `load_experiment`; `name` is the file's name."""
    lines = [_HEAD.format(name=visible_line(name))]
    for key, meaning in {**_MEANINGS, **_later_keys()}.items():
        example, default = _EXAMPLES.get(key), Experiment.model_fields[key].default
        setting = f"# {key} = {_toml(example)}" if example is not None else f"{key} = {_toml(default)}"
        about = meaning.format(expansions=", ".join(map(_toml, EXPANSIONS)))
        lines.append(f"{setting:<{_WIDTH}}# {about}")
    lines += [
        *_EDITS,
        _INTERVENTIONS,
        "",
        f"# Policies: {', '.join(policy_names())}.",
        f"# Towers: {', '.join(tower_presets())}.",
        "",
        "[rules]",
    ]
    hints, default_rules = get_type_hints(Ruleset), Ruleset()
    for switch in SWITCHES:
        value = getattr(default_rules, switch.field)
        others = [_toml(choice) for choice in get_args(hints[switch.field]) if choice != value] or ["100 or more"]
        lines.append(f"# {switch.rule} [{switch.mark}] {switch.meaning}")
        lines.append(f"{f'{switch.field} = {_toml(value)}':<{_WIDTH}}# or {', '.join(others)}")
    return "\n".join([*lines, ""])


def _later_keys() -> dict[str, str]:
    # Keys that have no meaning above are written with the description of their allowed values.
    fields = Experiment.model_fields
    apart = (*_MEANINGS, "rules", "interventions", *EDIT_KEYS)
    return {key: str(fields[key].description) for key in fields if key not in apart}


def _toml(value: object) -> str:
    # JSON and TOML write strings, numbers, booleans and flat lists in the same way.
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)

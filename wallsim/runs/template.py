"""A commented experiment file with every key at its default, from which somebody can begin."""

from __future__ import annotations

import json
from typing import get_args, get_type_hints

from wallsim.policies.catalogue import policy_names
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.rules.terms import EXPANSIONS
from wallsim.rules.tower import tower_presets
from wallsim.runs.experiment import Experiment

_HEAD = """\
# An experiment of wallsim: what is played, how often, and which tables are written.
#
#     wallsim run {name}
#
# Every key stands here with its default. Delete what you do not want to change. Only --games, --seed, --workers and
# --out may be given beside a file. Paths are taken from this file's folder.
"""
# What each key is for; keys without a default stand as comments.
_MEANINGS = {
    "name": "a title, which also names the folder under results/; default: none",
    "players": "3, 4 or 5",
    "setup": '"lineup": the books\' line-ups for beginners; "draft": the normal set-up',
    "lineups": "the line-up of each seat, in order of the seats; none in a draft; default: A, B, C ...",
    "edition": '"2e": the second edition; "1e": the first',
    "expansions": 'some of {expansions}; or "all"',
    "policies": "one name for all seats, or a list with a name or a file (.toml, .py) per seat; see the list below",
    "games": "how many games are played",
    "seed": "seed and number of a game decide all chance in it",
    "tower": "the dice tower: a preset, see below, or the path of a .toml file",
    "board": "a folder with a board of your own; default: the board of the game",
    "seasons": "true: also write the table `seasons`, a row per game, season and seat",
    "battles": "true: also write the table `battles`, a row per battle",
    "counties": "true: also write the table `counties`, a row per game, seat and county that it ever held",
    "chunk": "games per file; default: small files first, then larger ones; it never changes a row",
}
_EXAMPLES = {"name": "my experiment", "lineups": ["B", "A", "C", "D"], "board": "my_board", "chunk": 5_000}
_WIDTH = 34  # columns before a comment


def experiment_template(name: str) -> str:
    """The text of such a file, which `load_experiment` reads as an experiment of defaults; `name` is the file's."""
    lines = [_HEAD.format(name=name)]
    for key, meaning in {**_MEANINGS, **_later_keys()}.items():
        example, default = _EXAMPLES.get(key), Experiment.model_fields[key].default
        said = f"# {key} = {_toml(example)}" if example is not None else f"{key} = {_toml(default)}"
        about = meaning.format(expansions=", ".join(map(_toml, EXPANSIONS)))
        lines.append(f"{said:<{_WIDTH}}# {about}")
    lines += [
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
    # A key that was added without a meaning here is still written, with what it may be.
    fields = Experiment.model_fields
    return {key: str(fields[key].description) for key in fields if key not in _MEANINGS and key != "rules"}


def _toml(value: object) -> str:
    # JSON's spelling of texts, numbers, booleans and flat lists is TOML's too.
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)

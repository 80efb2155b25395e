"""A commented experiment file with every key at its default, as a starting point."""

from __future__ import annotations

from typing import get_args, get_type_hints

from wallsim.escaping import escaped_line, in_shell, in_toml
from wallsim.policies.catalogue import listed_names
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.rules.tower import tower_presets
from wallsim.runs.experiment import Experiment
from wallsim.runs.keys import EXPERIMENT_KEYS, Key

_HEAD = """\
# An experiment for wallsim: what is played, how many games, and which tables are written.
#
#     wallsim run {name}
#
# Every key is shown with its default. Delete the keys that you do not want to change. Only the options --games,
# --seed, --workers and --out can be combined with a file. Paths are relative to this file's folder. Tables
# [scenario.NAME] and [factor] at the end make several experiments of one file; docs/running.md shows how.
"""
_WIDTH = 34  # columns before a comment


def experiment_template(name: str) -> str:
    """The text of an experiment file with the defaults, as read by `load_experiment`; `name` is the file's name."""
    lines = [_HEAD.format(name=escaped_line(in_shell(name)))]
    for name, key in EXPERIMENT_KEYS.items():
        if name != "rules":
            lines.append(key.line or _setting(name, key))
    lines += [
        "",
        f"# Policies: {', '.join(listed_names())}.",
        f"# Towers: {', '.join(tower_presets())}.",
        "",
        "[rules]",
    ]
    hints, default_rules = get_type_hints(Ruleset), Ruleset()
    for switch in SWITCHES:
        value = getattr(default_rules, switch.field)
        others = [in_toml(choice) for choice in get_args(hints[switch.field]) if choice != value] or ["100 or more"]
        lines.append(f"# {switch.rule} [{switch.mark}] {switch.meaning}")
        lines.append(f"{f'{switch.field} = {in_toml(value)}':<{_WIDTH}}# or {', '.join(others)}")
    return "\n".join([*lines, ""])


def _setting(name: str, key: Key) -> str:
    default = Experiment.model_fields[name].default
    setting = f"{name} = {in_toml(default)}" if key.example is None else f"# {name} = {in_toml(key.example)}"
    return f"{setting:<{_WIDTH}}# {key.comment or key.allowed}"

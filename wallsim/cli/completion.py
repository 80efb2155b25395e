"""Shell completion of option values: names of policies, towers, expansions and switches.

The shell calls these functions while the user types, so they read only names of files.
"""

from __future__ import annotations


def complete_policies(incomplete: str) -> list[str]:
    """Names of policies; completes the last name of a comma-separated list."""
    from wallsim.policies.catalogue import listed_names

    return _last_of_list(incomplete, listed_names())


def complete_towers(incomplete: str) -> list[str]:
    """Names of towers."""
    from wallsim.rules.tower import tower_presets

    return [name for name in tower_presets() if name.startswith(incomplete)]


def complete_expansions(incomplete: str) -> list[str]:
    """Names of expansions, or "all"; completes the last name of a comma-separated list."""
    from wallsim.rules.terms import EXPANSIONS

    return _last_of_list(incomplete, EXPANSIONS if "," in incomplete else (*EXPANSIONS, "all"))


def complete_switches(incomplete: str) -> list[str]:
    """`NAME=VALUE` for a switch of the rules: first its name, then its value."""
    from typing import get_args, get_type_hints

    from wallsim.rules.ruleset import SWITCHES, Ruleset

    name, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{switch.field}=" for switch in SWITCHES if switch.field.startswith(name)]
    choices = get_args(get_type_hints(Ruleset).get(name)) if name in {switch.field for switch in SWITCHES} else ()
    return [f"{name}={choice}" for choice in choices if str(choice).startswith(value)]


def _last_of_list(incomplete: str, names: tuple[str, ...]) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]

"""Settings drawn at random: ruleset with any switches and amounts, tower, policies; and a game under each."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from tests.naive.making import BOARD, SUBSETS, other_settings
from wallsim.engine.arena import Arena
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.amounts import AMOUNTS, PRINTED
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.tower import TowerModel, load_tower, tower_presets

POLICIES = ("random", "balanced", "strong-4p", "strong-4p-bigbox", "balanced-noise-32", "casual")
OTHERWISE = other_settings(bank=160)
assert all(getattr(Ruleset(), name) != value for name, value in OTHERWISE.items())


@dataclass(frozen=True)
class Setting:
    """What is drawn."""

    rules: Ruleset
    tower: TowerModel
    policies: tuple[str, ...]
    seed: int


def random_setting(number: int, **fixed: Any) -> Setting:
    """The setting of a number; `fixed` are fields of the ruleset."""
    rng = random.Random(number)
    players, setup = rng.choice((3, 4, 5)), rng.choice(("lineup", "draft", "deal"))
    fields: dict[str, Any] = {
        "players": players,
        "setup": setup,
        "lineups": tuple(rng.sample(LETTERS[:players], players)) if setup == "lineup" else (),
        "edition": rng.choice(("2e", "1e")),
        "expansions": rng.choice(SUBSETS),
        **{name: value for name, value in OTHERWISE.items() if rng.random() < 0.5},
        "amounts": _amounts(rng),
    }
    rules = Ruleset(**{**fields, **fixed})
    if 0 < rules.bank < sum(rules.starting_thalers()):
        rules = replace(rules, bank=0)
    tower = load_tower(rng.choice(tower_presets()))
    return Setting(rules, tower, tuple(rng.choice(POLICIES) for _ in range(rules.players)), number)


def _amounts(rng: random.Random) -> tuple[tuple[str, int], ...]:
    # Mostly few of them far from the printed ones, so that games stay games; sometimes all.
    chosen = rng.sample(AMOUNTS, rng.choice((0, 2, 6, 12, len(AMOUNTS))))
    drawn = {
        each.name: rng.choice((each.low, each.high, rng.randint(each.low, each.high), each.printed + 1))
        for each in chosen
    }
    return tuple(
        sorted((each.name, number) for each in chosen if (number := min(drawn[each.name], each.high)) != each.printed)
    )


def arena_of(setting: Setting) -> Arena:
    """The arena of a setting."""
    seated = pack_players([load_policy(name) for name in setting.policies])
    return Arena(pack_rules(BOARD, setting.rules, setting.tower), seated, setting.seed)


def differing_settings(rules: Ruleset) -> set[str]:
    """The names of switches and amounts that are not the default ones."""
    switched = {name for name in OTHERWISE if getattr(rules, name) != getattr(Ruleset(), name)}
    return switched | {name for name, number in rules.amounts if number != PRINTED[name]}

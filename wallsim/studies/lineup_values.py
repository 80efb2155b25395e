"""What the register has on the printed line-ups: the value of each county and the wins of each line-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.rules.ruleset import LETTERS
from wallsim.studies.figure import Figure, slug
from wallsim.studies.register import read_register

VALUED = 4  # players of the games in which values were measured


def county_values(counties: Sequence[str], players: int) -> dict[str, Figure]:
    """The value of each county to casual bots in victory points; empty for numbers of players without any."""
    if players != VALUED:
        return {}
    found = read_register("draft")
    return {county: found[f"draft.worth-by-play.4p.{slug(county)}/casual/all"] for county in counties}


def lineup_wins(players: int) -> dict[str, Figure]:
    """The share of wins of each printed line-up among casual bots, in percent."""
    found = read_register("lineups")
    return {letter: found[f"lineups.wins.{players}p.{letter}/casual/spielbyweb"] for letter in LETTERS[:players]}


def figures_of_lineups(counties: Sequence[Mapping[str, Any]], players: int) -> dict[str, Any]:
    """The same as keys of a document: values by county and wins in percent by line-up, with intervals and ids."""
    values = county_values([county["county"] for county in counties], players)
    return {name: {key: {"id": each.id, "value": each.value, "low": each.low, "high": each.high}
                   for key, each in found.items()}
            for name, found in (("values", values), ("wins", lineup_wins(players)))}  # fmt: skip


def wins_rows(players: int, counties: Mapping[str, Sequence[str]], values: Mapping[str, Figure]) -> list[list[str]]:
    """Line-up, percent of wins with its interval, and the sum of its counties' values, where there are values."""
    rows = []
    for letter, wins in lineup_wins(players).items():
        total = f"{sum(values[county].value for county in counties[letter]):+.1f}".replace("-", "−") if values else "–"
        rows.append([letter, f"{wins.value:.1f}", f"{wins.low:.1f} to {wins.high:.1f}", total])
    return rows

"""The results of a run by seat, with their intervals, the run's speed and the assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import polars as pl

from wallsim.analysis.games.breakdown import Line, breakdown
from wallsim.analysis.games.spread import PARTS, Spread, is_of_lineups, spread_of_run, win_parts
from wallsim.errors import RunError
from wallsim.folder.layout import AS_SHIPPED
from wallsim.folder.results import Run
from wallsim.rules.other_settings import settings_of, setup_assumptions
from wallsim.rules.tower import parameters_of
from wallsim.stats.intervals import LEVEL, Confidence, Interval, mean_interval, wilson


@dataclass(frozen=True)
class SeatFinding:
    """A seat's share of wins (1/k for a win shared by k) and victory points; no intervals for too few games."""

    seat: int
    lineup: str  # empty in a draft
    policy: str
    share: float
    share_interval: Interval | None
    vp: float
    vp_interval: Interval | None
    vp_deviation: float | None  # standard deviation from game to game

    def against(self, fair: float) -> str:
        """Whether the interval lies "above" or "below" the fair share; "" if neither or there is none."""
        if self.share_interval is None or self.share_interval[0] <= fair <= self.share_interval[1]:
            return ""
        return "above" if self.share_interval[0] > fair else "below"


@dataclass(frozen=True)
class Summary:
    """The results of a run; the intervals of a kind hold for all seats simultaneously with confidence `level`."""

    games: int
    seats: tuple[SeatFinding, ...]
    shared: float  # share of games whose win was shared
    level: float
    time: dict[str, Any]
    assumptions: tuple[str, ...]
    breakdown: tuple[Line, ...] = ()  # points by source and uses of the expansions; empty without expansions
    settings: tuple[str, ...] = ()  # what is not the default: board, tower, edition, rules and others
    spread: Spread | None = None  # of wins between line-ups, in percentage points, where seats differ by these alone

    @property
    def confidence(self) -> Confidence:
        """The confidence of the simultaneous intervals of a kind; it gives the number of games that they need."""
        return Confidence(self.level, len(self.seats))

    @property
    def fair(self) -> float:
        """The share of wins of each seat if all seats were equal."""
        return 1 / len(self.seats)


def summarise(run: Run) -> Summary:
    """Aggregate wins and points of a run by seat, from its `seats` files, which are first checked by their digests.

    RunError if a file is damaged, or if the rows disagree with the manifest.
    """
    won, vp = win_parts(), pl.col("vp")
    seats = run.scan("seats")
    if "forced_moves" not in seats.collect_schema().names():  # runs of engine version 2, when moving was optional
        seats = seats.with_columns(forced_moves=pl.lit(0))
    counting = (
        seats.group_by("seat")
        .agg(
            pl.len().alias("games"),
            won.sum().alias("wins") / PARTS,
            vp.sum().alias("vp"),
            (vp * vp).sum().alias("squares"),
            won.filter(won < PARTS).sum().alias("shared"),
            pl.col("forced_moves").sum().alias("forced"),
        )
        .sort("seat")
    )
    try:
        sums = counting.collect().rows(named=True)
    except pl.exceptions.PolarsError as error:
        raise RunError(f"{run.folder}: the seats cannot be read: {error}") from None
    facts = run.manifest["experiment"]["identity"]
    _refuse_other_rows(run, sums)
    confidence = Confidence(LEVEL, len(sums))
    return Summary(
        games=run.manifest["games"],
        seats=tuple(_finding(row, facts, confidence) for row in sums),
        shared=sum(row["shared"] for row in sums) / PARTS / run.manifest["games"],
        level=LEVEL,
        time=run.manifest["time"],
        assumptions=(*assumptions(run.manifest), *_growth(run), *_forced_moves(facts, sums)),
        breakdown=breakdown(run, check=False) if run.expansions else (),
        settings=tuple(settings_of(run.manifest)),
        spread=spread_of_run(run) if is_of_lineups(run) and run.manifest["games"] > 1 else None,
    )


def _growth(run: Run) -> list[str]:
    """A line if the number of games was not fixed beforehand."""
    if not run.grown:
        return []
    looks = [f"{games:,}" for games in run.manifest.get("looks", ())]
    if run.manifest.get("grows") is not False:
        how = "until an interval was short enough"
    else:
        how = f"after the run had been finished with {' and '.join(looks[:-1])}"
    return [f"Games were added {how}; intervals hold for a number of games fixed beforehand."]


def _forced_moves(facts: dict[str, Any], sums: list[dict[str, Any]]) -> list[str]:
    """A line for each policy for which the engine had to move, since it did not move where it must (B5.8)."""
    forced: dict[str, int] = {}
    for row in sums:
        name = facts["policies"][row["seat"]]["name"]
        forced[name] = forced.get(name, 0) + row["forced"]
    return [
        f"{name} did not move where it must (B5.8), {count:,} time{'s' if count > 1 else ''} in all; the engine moved "
        "one army each time. --check-policies reports the first of these cases."
        for name, count in forced.items()
        if count
    ]


def _refuse_other_rows(run: Run, sums: list[dict[str, Any]]) -> None:
    games, facts = run.manifest["games"], run.manifest["experiment"]["identity"]
    counted = {row["seat"]: row["games"] for row in sums}
    promised = dict.fromkeys(range(facts["players"]), games)
    rows = sum(counted.values())
    if counted != promised or games != facts.get("games", games) or run.manifest["rows"].get("seats") != rows:
        raise RunError(
            f"{run.folder}: the seats have {rows:,} rows of {len(counted)} seats, the manifest says "
            f"{games:,} games of {facts['players']} seats; delete the manifest and play the run again"
        )


def _finding(row: dict[str, Any], facts: dict[str, Any], confidence: Confidence) -> SeatFinding:
    seat, games = row["seat"], row["games"]
    share, vp = row["wins"] / games, row["vp"] / games
    many = games >= confidence.min_blocks
    deviation = sqrt((row["squares"] - games * vp * vp) / (games - 1)) if many else None
    return SeatFinding(
        seat=seat,
        lineup=facts["lineups"][seat],
        policy=facts["policies"][seat]["name"],
        share=share,
        share_interval=None if deviation is None else wilson(share, games, confidence.z),
        vp=vp,
        vp_interval=None if deviation is None else mean_interval(vp, deviation, games, confidence),
        vp_deviation=deviation,
    )


def assumptions(manifest: dict[str, Any], *, rotated: bool = False) -> list[str]:
    """The assumptions behind the numbers of a run, one line each.

    `rotated` means that the policies play every seat and line-up equally often, as in a tournament.
    """
    facts = manifest["experiment"]["identity"]
    lines = table_assumptions(manifest)
    if rotated:
        where = "seat and line-up" if facts["setup"] == "lineup" else "seat"
        lines.append(f"In every block each policy plays every {where} equally often.")
    elif facts["setup"] == "lineup":
        lines.append("Each line-up stays with its seat: the effects of line-up and seat cannot be distinguished.")
    names = list(dict.fromkeys(policy["name"] for policy in facts["policies"]))
    between = "them" if rotated else "seats"
    lines.append(f"Bots played, not people: {_and(names)}. Differences between {between} may not hold among people.")
    return lines


def table_assumptions(manifest: dict[str, Any]) -> list[str]:
    """The assumptions that do not depend on the policies, one line each: tower, board and edition.

    `manifest` needs only the experiment's identity, board and tower.
    """
    facts, tower, board = manifest["experiment"]["identity"], manifest["tower"], manifest["board"]
    source = f"; source: {tower['source']}" if tower["source"] else "; no source is given"
    lines = [f"Tower: {tower['name']}, model {tower['model']} ({parameters_of(tower).in_words()}){source}."]
    if facts["setup"] == "lineup":
        lines.append("Line-ups are the set-up for beginners: results may not hold in a draft, the normal set-up.")
    lines += setup_assumptions(facts)
    if board["assumed"]:
        lines.append(f"Assumed in the board's data: {'; '.join(board['assumed'])}.")
    elif facts["setup"] == "lineup":
        cards = " and of the expansions' cards" if _has_cards(facts) else ""
        lines.append(f"No figure of the {facts['players']}-player line-ups{cards} is marked as assumed.")
    elif _has_cards(facts):
        lines.append("No figure of the expansions' cards is marked as assumed.")
    if board["sources"]:
        lines.append(f"Not stated explicitly by the rulebook: {'; '.join(board['sources'])}.")
    if facts["edition"] == "1e" and board["folder"] == AS_SHIPPED:
        lines.append(
            "First edition: set-up and events are those of the second; its own events are known to differ (25 cards, "
            "whose list was not found), so no finding about events holds (V8)."
        )
    return lines


def _has_cards(facts: dict[str, Any]) -> bool:
    return bool({"court", "landsknechte"} & set(facts["expansions"]))


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

"""A remarkable game of a run, picked from its tables: a comeback, an upset, the closest game, the luckiest winner."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from wallsim.analysis.games.spread import PARTS, win_parts
from wallsim.errors import InputError
from wallsim.folder.results import Run
from wallsim.rules.terms import SEASONS, WINTER, YEARS
from wallsim.trace.story.vocabulary import some, thalers

KINDS = ("comeback", "upset", "closest", "luck")
_ALONE = pl.col("winner").is_not_null()


class Pick(NamedTuple):
    """The number of a game, and why it was picked."""

    game: int
    reason: str


def remarkable_game(run: Run, kind: str) -> Pick:
    """The game of a finished run that is most remarkable in one of the KINDS; of equals the first.

    - `comeback`: the winner that was furthest behind the best seat in points after year one; with the table seasons, at
      the end of any season before the last, counted with what one more winter would bring.
    - `upset`: a win of the policy, or where all play by the same one of the seat, that wins least often in the run; of
      several the one with the most points above the second.
    - `closest`: the fewest points between the best and the second seat, then the fewest Thalers.
    - `luck`: the winner whose battles went furthest beyond the mean of battles of the run with as many cubes on both
      sides; for the table battles.

    InputError for another kind, a run without the table or columns it needs, or one in which no game qualifies.
    """
    if kind not in KINDS:
        raise InputError(f"remarkable: {kind!r} is not one of {', '.join(KINDS)}")
    picked = {"comeback": _comeback, "upset": _upset, "closest": _closest, "luck": _luck}[kind](run)
    if picked is None:
        raise InputError(f"remarkable: no game of {run.folder} was won by one seat alone")
    return picked


def _table(run: Run, kind: str, table: str, columns: tuple[str, ...], option: str = "") -> pl.LazyFrame:
    if table not in run.tables:
        raise InputError(f"remarkable: {kind} needs the table {table}; play the run with {option}")
    rows = run.scan(table)
    lacking = [name for name in columns if name not in rows.collect_schema().names()]
    if lacking:
        raise InputError(f"remarkable: {kind} needs the columns {', '.join(lacking)} of the table {table}")
    return rows.select(columns)


def _first(rows: pl.LazyFrame, by: str, descending: bool = True) -> dict[str, object] | None:
    found = rows.sort([by, "game"], descending=[descending, False]).head(1).collect()
    return found.row(0, named=True) if len(found) else None


def _winners(run: Run, kind: str) -> pl.LazyFrame:
    return _table(run, kind, "games", ("game", "winner", "vp_margin")).filter(_ALONE)


def _comeback(run: Run) -> Pick | None:
    if "seasons" in run.tables:
        points, when = "vp_with_board", ["year", "season"]
        rows = _table(run, "comeback", "seasons", ("game", *when, "seat", points))
        rows = rows.filter((pl.col("year") < YEARS) | (pl.col("season") != SEASONS[WINTER]))  # no winter comes after it
    else:
        points, when = "vp_year1", []
        rows = _table(run, "comeback", "seats", ("game", "seat", points))
    best = pl.col(points).max().over(["game", *when])
    behind = rows.with_columns(behind=best - pl.col(points))
    own = behind.join(_winners(run, "comeback"), on="game").filter(pl.col("seat") == pl.col("winner"))
    row = _first(own, "behind")
    if row is None:
        return None
    at = f"after {row['season']} of year {row['year']}, as the board was," if when else "after year one"
    return Pick(_number(row), f"seat {row['winner']} won; {at} it was {some(int(str(row['behind'])), 'point')} behind")


def _upset(run: Run) -> Pick | None:
    seats = _table(run, "upset", "seats", ("game", "seat", "policy", "win"))
    several = seats.select(pl.col("policy").n_unique()).collect().item() > 1
    who = "policy" if several else "seat"
    seats = seats.with_columns(pl.col(who).cast(pl.String).alias("who"))
    shares = seats.group_by("who").agg((win_parts().mean() / PARTS).alias("share"))
    own = _winners(run, "upset").join(seats.with_columns(winner="seat"), on=["game", "winner"])
    least = own.join(shares, on="who").filter(pl.col("share") == pl.col("share").min())
    row = _first(least, "vp_margin")
    if row is None:
        return None
    name = row["who"] if several else f"seat {row['who']}"
    share, margin = 100 * float(str(row["share"])), some(int(str(row["vp_margin"])), "point")
    return Pick(_number(row), f"{name} wins {share:.1f} % of the run's games; it won this one by {margin}")


def _closest(run: Run) -> Pick | None:
    seats = _table(run, "closest", "seats", ("game", "seat", "vp", "thalers"))
    kept = pl.struct("vp", "thalers").sort(descending=True)
    pairs = seats.group_by("game").agg(kept.head(2).alias("best"))
    first, second = pl.col("best").list.get(0), pl.col("best").list.get(1)
    gaps = pairs.select(
        "game",
        points=first.struct.field("vp") - second.struct.field("vp"),
        thalers=(first.struct.field("thalers") - second.struct.field("thalers")).abs(),
    )
    row = _first(gaps.with_columns(gap=pl.struct("points", "thalers")), "gap", descending=False)
    if row is None:
        return None
    points, purse = some(int(str(row["points"])), "point"), thalers(int(str(row["thalers"])))
    return Pick(_number(row), f"{points} and {purse} between the best two seats")


def _luck(run: Run) -> Pick | None:
    columns = ("game", "kind", "attacker", "defender", "engaged_attacker", "engaged_defender", "result")
    battles = _table(run, "luck", "battles", columns, "--battles")
    alike = ["kind", "engaged_attacker", "engaged_defender"]
    sides = []
    for side in ("attacker", "defender"):
        won = (pl.col("result") == side).cast(pl.Float64)
        gained = (won - won.mean().over(alike)).alias("luck")
        sides.append(battles.select("game", pl.col(side).alias("winner"), gained).drop_nulls("winner"))
    luck = pl.concat(sides).group_by("game", "winner").agg(pl.col("luck").sum())
    row = _first(_winners(run, "luck").join(luck, on=["game", "winner"]), "luck")
    if row is None:
        return None
    more = float(str(row["luck"]))
    return Pick(_number(row), f"seat {row['winner']} won {more:.1f} battles more than as many cubes win on average")


def _number(row: dict[str, object]) -> int:
    return int(str(row["game"]))

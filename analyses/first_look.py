"""A first look: which printed line-up wins, and does the answer outlive another seating, tower or policy?

    python analyses/first_look.py results/first_look docs/first-result.png --into README.md

Method: the experiment of `first_look.toml` is played as it stands and once more with each of the changes below,
everything else alike, the seed included; each run lies in a folder of its own below the one named and is not
played again if it is there. Shares of wins get Wilson intervals that hold for the seats of a run at once. CLAIMS are
judged by the runs of weak, middling and strong play, with intervals that hold for these at once. What is found is
printed as Markdown, and put between the marks of the file named by --into, with the first digits of a hash of all
runs' experiments in the opening mark; the picture is drawn from the run without a change.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from wallsim.analysis.blocks import Estimate
from wallsim.analysis.points import points_by_source
from wallsim.analysis.robustness import Played, lineup_wins, robustness
from wallsim.analysis.summary import SeatFinding, Summary, summarise
from wallsim.analysis.verdicts import Claim
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.figures import first_look
from wallsim.report.marked import put_between_marks
from wallsim.report.style import save_picture
from wallsim.report.verdict_table import robustness_table
from wallsim.runs.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.parts import identity_hash
from wallsim.runs.play import play_run

EXPERIMENT = Path(__file__).with_suffix(".toml")
WEAK = "balanced-noise-16"
STRONG = "tuned-4p"
AS_IT_STANDS = "as it stands"
CHANGES: dict[str, dict[str, Any]] = {
    AS_IT_STANDS: {},
    "line-ups dealt the other way round": {"lineups": ["D", "C", "B", "A"]},
    "tower `mid`": {"tower": "mid"},
    "tower `rulebook`": {"tower": "rulebook"},
    "policy `random`": {"policies": "random"},
}
CLAIMS = (
    Claim("Line-up A wins more than its fair share.", "line-up A", 25),
    Claim("Line-up A wins more than line-up B.", "A less B", 0),
)
MARKS = "figures"


def main() -> None:
    """Play what is missing, print the answer, draw the picture."""
    wanted = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted.add_argument("folder", type=Path, help="where the runs lie or shall lie")
    wanted.add_argument("picture", type=Path, help="the PNG to write")
    wanted.add_argument("--games", type=int, help="games a run instead of the experiment's")
    wanted.add_argument("--strong", default=STRONG, help="the policy of strong play (default: %(default)s)")
    wanted.add_argument("--into", type=Path, help="a file whose marked lines are replaced by the answer")
    given = wanted.parse_args()

    runs = {}
    try:
        for change, experiment in experiments(given.games, given.strong).items():
            runs[change] = play_run(experiment, given.folder / re.sub(r"\W+", "_", change).strip("_"))
    except InputError as error:
        raise SystemExit(str(error)) from None
    found = {change: summarise(run) for change, run in runs.items()}
    experiment = load_experiment(EXPERIMENT, {"games": given.games} if given.games else {})
    title = (
        f"{experiment.games:,} games, {experiment.players} players, policy {experiment.policies[0]}, "
        f"tower {experiment.tower}, seed {experiment.seed}"
    )
    save_picture(first_look(found[AS_IT_STANDS], points_by_source(runs[AS_IT_STANDS]), title), given.picture)
    head = f"{title}, engine version {ENGINE_VERSION}; the fair share is {100 * found[AS_IT_STANDS].fair:.0f} %."
    judged = robustness(CLAIMS, {strength: runs[change] for strength, change in plays(given.strong).items()}, outcomes)
    tables = [seats_table(found[AS_IT_STANDS]), changes_table(found), robustness_table(judged)]
    answer = "\n\n".join([head, *tables]) + "\n"
    print(answer)
    if given.into:
        try:
            put_between_marks(given.into, MARKS, digest(given.games, given.strong), "analyses/first_look.py", answer)
        except ValueError as error:
            raise SystemExit(str(error)) from None


def plays(strong: str = STRONG) -> dict[str, str]:
    """The change under which play is weak, middling or strong."""
    return {"weak": f"policy `{WEAK}`", "middling": AS_IT_STANDS, "strong": f"policy `{strong}`"}


def outcomes(run: Played) -> dict[str, Estimate]:
    """What CLAIMS speak of, in per cent of wins: each line-up's share, and how far A is ahead of B."""
    wins = lineup_wins(run)
    return {**wins, "A less B": wins["line-up A"] - wins["line-up B"]}


def experiments(games: int | None = None, strong: str = STRONG) -> dict[str, Experiment]:
    """Every run's experiment, by its change. InputError for a policy that is none."""
    of_play = {f"policy `{policy}`": {"policies": policy} for policy in (WEAK, strong)}
    fewer = {"games": games} if games else {}
    return {change: load_experiment(EXPERIMENT, {**keys, **fewer}) for change, keys in {**CHANGES, **of_play}.items()}


def digest(games: int | None = None, strong: str = STRONG) -> str:
    """The hash of all that decides the figures: every run's experiment, with rules, tower and policies' weights."""
    return identity_hash({change: each.hash() for change, each in experiments(games, strong).items()})


def seats_table(summary: Summary) -> str:
    """A row a seat: wins and points with their intervals, as Markdown."""
    rows = [
        f"| {seat.lineup} (seat {seat.seat}) | {100 * seat.share:.2f} | {_interval(seat.share_interval, 100)} "
        f"| {seat.vp:.2f} | {_interval(seat.vp_interval, 1)} "
        f"| {'–' if seat.vp_deviation is None else f'{seat.vp_deviation:.1f}'} |"
        for seat in summary.seats
    ]
    head = "| line-up | wins, % | 95 % interval | mean VP | 95 % interval | standard deviation of a game |"
    return "\n".join([head, "|---|---|---|---|---|---|", *rows])


def changes_table(found: dict[str, Summary]) -> str:
    """A row a run: share of wins of each line-up with half the width of its interval, as Markdown."""
    letters = sorted(seat.lineup for seat in next(iter(found.values())).seats)
    rows = [
        " | ".join([f"| {change}", *(_share(_seat_of(summary, letter)) for letter in letters)]) + " |"
        for change, summary in found.items()
    ]
    head = " | ".join(["| share of wins, %", *letters]) + " |"
    return "\n".join([head, "|---" * (len(letters) + 1) + "|", *rows])


def _seat_of(summary: Summary, letter: str) -> SeatFinding:
    return next(seat for seat in summary.seats if seat.lineup == letter)


def _share(seat: SeatFinding) -> str:
    if seat.share_interval is None:
        return f"{100 * seat.share:.1f}"
    low, high = seat.share_interval
    return f"{100 * seat.share:.1f} ± {50 * (high - low):.1f}"


def _interval(interval: tuple[float, float] | None, factor: float) -> str:
    return "–" if interval is None else f"{factor * interval[0]:.2f} to {factor * interval[1]:.2f}"


if __name__ == "__main__":
    main()

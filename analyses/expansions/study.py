r"""Expansions: what do the Emperor's Court, the Landsknechte and the military leaders change?

    .venv/bin/python -m analyses.expansions results/expansions docs/studies/expansions.png \
        --into docs/studies/expansions.md

Method. (1) All eight subsets of the three expansions are played, each on games of its own, since games with other
expansions soon share nothing. Main effects and interactions of each outcome are orthogonal contrasts of the eight, with
Student's t intervals over blocks of 24 games; they are judged in every play, tower and set-up. (2) In every subset a
ladder of policies from weak to strong and the zoo's styles play tournaments: what share of the variance of points is
skill, and which styles gain. (3) Favors, Landsknechte cards and statues are given to one seat and denied to it, by
policies that answer one question otherwise, in games with all expansions. (4) The same games are played on boards with
other figures in place of the assumed ones of the favors. Strong play is that tuned with all three expansions; weights
tuned without any are played beside it and are not called strong. With --quick there are few cells and games.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from analyses.effect_files import write_results
from matplotlib.figure import Figure

from analyses import driver
from wallsim.report.figures.expansions import Rows, expansions_at_a_glance
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.changes import Change
from wallsim.studies.outcomes import POINTS, SPREAD

from .effects import CLAIMS, EXPERIMENT, claim_outcomes, scope_of
from .estimates import Expansions, digest, study
from .page import figures
from .skill import FIELDS, ZOO

__all__ = ["CLAIMS", "EXPERIMENT", "STUDY", "claim_outcomes", "digest", "scope_of", "study"]

MARKS = ("expansions figures",)


def answer(args: Namespace) -> driver.Answer:
    """Play all subsets, tournaments, treatments and boards, and make the tables."""
    scope = scope_of(args.games, args.quick)
    hashed = digest(scope)  # raises for a wrong experiment before anything is played
    found = study(scope, args.folder, args.workers)
    save(found, args.folder)
    text = figures(found)
    return driver.Answer(hashed, dict.fromkeys(MARKS, text), text, picture(found))


STUDY = driver.Study(__file__, __doc__, MARKS, driver.add_size, answer)


def save(found: Expansions, folder: str | Path) -> None:
    """Write the effects of the baseline cell, and what cards bring there, into a folder."""
    home = found.scope.baseline_cell()
    none = found.factorial.subsets[home][()]
    effects = {
        (" x ".join(effect), outcome, ""): Change(estimate, none[outcome].value, float("nan"))
        for outcome, by_effect in found.factorial.effects[home].items()
        for effect, estimate in by_effect.items()
    }
    taken = {(f"favor {number}", "VP of a seat", "chosen"): each.chosen for number, each in found.favors[home].items()}
    taken |= {(f"favor {number}", "VP of a seat", "forced"): each.forced for number, each in found.favors[home].items()}
    taken |= {("statue", "VP of a seat", str(place)): each for place, each in enumerate(found.statues[home])}
    taken |= {(f"card {card}", "VP of a seat", "seat"): each.seat for card, each in found.cards[home].items()}
    cards = {key: Change(each.worth, each.seldom, float("nan")) for key, each in taken.items()}
    boards = {
        (name, outcome, ""): each
        for name, by_outcome in found.boards[home].changes.items()
        for outcome, each in by_outcome.items()
    }
    write_results(folder, {"effects": effects, "cards": cards, "boards": boards}, digest(found.scope), found.scope)


def picture(found: Expansions) -> Figure:
    """The effects on points and their spread in every play, and which styles gain."""
    return expansions_at_a_glance(*drawn(found))


def drawn(found: Expansions) -> tuple[dict[str, Rows], list[str], Rows, Confidence, Confidence, str]:
    """What the picture shows: the effects by outcome, the plays, the styles, the confidence of both, and the title."""
    home = found.scope.baseline_cell()
    cells = {cell.play: cell for cell in found.scope.cells() if (cell.tower, cell.setup) == home[1:]}
    panels: dict[str, Rows] = {
        outcome: {
            " × ".join(effect): {name: found.factorial.effects[cell][outcome][effect] for name, cell in cells.items()}
            for effect in found.factorial.effects[home][outcome]
        }
        for outcome in (POINTS, SPREAD)
    }
    played = found.tournaments
    styles: Rows = {
        style: {name: played.effects_on_wins(ZOO, style)[(name,)] for name in EXPANSIONS} for style in FIELDS[ZOO]
    }
    effects = sum(len(each) for panel in panels.values() for each in panel.values())
    sure, sure_of_styles = Confidence(LEVEL, effects), Confidence(LEVEL, sum(map(len, styles.values())))
    tower = load_experiment(EXPERIMENT).tower
    title = f"Tower {tower}, line-ups; strong: tuned with all three; {LEVEL:.0%} intervals, simultaneous for effects "
    title += "and for styles"
    plays = [play.name for play in found.scope.plays if play.name in cells]
    return panels, plays, styles, sure, sure_of_styles, title


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))

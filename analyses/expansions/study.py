"""Expansions: what do the Emperor's Court, the Landsknechte and the military leaders change?

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

from matplotlib.figure import Figure

from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.scope import Scope
from wallsim.studies.study import Judged, Page, Study, Told

from .effects import CLAIMS, EXPERIMENT, outcomes_by_game, plays_with_expansions, scope_of
from .estimates import Expansions, identity, play
from .page import figures
from .picture import Rows, expansions_at_a_glance
from .skill import FIELDS, ZOO

MARK = "expansions figures"


def told_of(found: Expansions, scope: Scope) -> Told:
    """The page and the picture."""
    return Told(Page({MARK: figures(found)}), lambda: picture(found))


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


STUDY = Study(
    __file__, __doc__, scope_of, identity, play, told=told_of, marks=(MARK,),
    judged=(Judged(CLAIMS, outcomes_by_game, games_a_row=2, plays=plays_with_expansions),),
)  # fmt: skip

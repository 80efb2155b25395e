"""Expansions: what do the Emperor's Court, the Landsknechte and the military leaders change?

Method. (1) All eight subsets of the three expansions are played, each on games of its own, since games with other
expansions soon share nothing. Main effects and interactions of each outcome are orthogonal contrasts of the eight, with
Student's t intervals over blocks of 24 games; they are judged in every play, tower and set-up. (2) In every subset a
ladder of policies from weak to strong and the zoo's styles play tournaments: what share of the variance of points is
skill, and which styles gain. (3) Favors, Landsknechte cards and statues are given to one seat and denied to it, by
policies that answer one question otherwise, in games with all expansions. (4) The same games are played on boards with
other figures in place of the assumed ones of the favors. Strong play is that tuned with all three expansions; lines
made without any are played beside it and are not called strong. With --quick there are few cells and games.
"""

from __future__ import annotations

from wallsim.studies.study import Judged, Study

from .effects import CLAIMS, outcomes_by_game, plays_with_expansions, scope_of
from .estimates import identity, play
from .figures import UNITS, add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, scope_of, identity, play, add_figures, page, picture,
    judged=(Judged(CLAIMS, outcomes_by_game, games_a_row=2, plays=plays_with_expansions, units=UNITS),),
)  # fmt: skip

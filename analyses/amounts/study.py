"""Amounts: what happens to the game when a designer turns one of its numbers?

Method. Each number of the game that means something with four players is played a step below and a step above its
printed value, on the same games, and what changes from the lower to the higher value is compared by block of four
games: points, their spread, the wins of year one's leader, wins by line-up, what holding each tile brings, and the wins
of four styles of the zoo at one table. Numbers of the expansions are turned with all expansions in play. Then a
space-filling design turns the numbers of VARIABLES at once, a Gaussian process is fitted, and the fairest numbers that
it knows are raced and confirmed on games that the search never saw, in every play and tower. A cell is a play and a
tower calibration, with line-ups. With --quick there are few numbers, cells and games.
"""

from __future__ import annotations

from wallsim.analysis.claims.cells import CALIBRATIONS
from wallsim.studies.study import Judged, Study

from .claims import CLAIMS, claim_outcomes
from .estimates import scope_of
from .figures import add_figures
from .page import page, picture
from .played import identity, play

STUDY = Study(
    __file__, __doc__, scope_of, identity, play, add_figures, page, picture,
    # Its outcomes compare 38 versions of a game: so it has fewer cells. Its units of errors are blocks of four games.
    judged=(Judged(CLAIMS, claim_outcomes, games_a_row=4, setups=("lineup",), towers=CALIBRATIONS),),
)  # fmt: skip

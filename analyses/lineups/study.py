"""Line-ups: which line-ups win, at which seats, and what makes them fair?

Method. A cell is a play (all seats alike, from weak to two lines of strong play) under a tower calibration. Every game
number is played in all arrangements of the line-ups over the seats, the rotations and their mirror images: that is a
block, the unit of all errors. All versions of the line-ups, as printed and with the mends of `mends.toml`, are
played on the same numbers; a handicap in victory points is added at the end of printed games. The mends were found by
`search.py` on games of another seed, under two plays and two towers, and are judged here in all cells. Wins are
those of a cell or the mean of cells, each with the same weight, with Student's t intervals. With --quick there are
two cells of four players, and --games is the game numbers of each cell.
"""

from __future__ import annotations

from wallsim.studies.study import Judged, Study

from .estimates import CLAIMS, claim_outcomes, design_of, identity, play
from .figures import UNITS, add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design_of, identity, play, add_figures, page, picture,
    judged=(Judged(CLAIMS, claim_outcomes, setups=("lineup",), units=UNITS, some=claim_outcomes),),
    games="game numbers in every cell instead of the study's",
)  # fmt: skip

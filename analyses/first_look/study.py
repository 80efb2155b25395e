"""A first look: which printed line-up wins, and does the answer hold for other players, towers, seats and set-ups?

Method. A block is a game number, played in all eight arrangements of the line-ups over the four seats: the rotations of
A B C D and of its mirror image. A cell is a play (four seats alike, from weak to two lines of strong play) under a
tower; every play is combined with every tower. `experiment.toml` is the baseline cell and sets its number of games;
everything else, including the seed, is the same in every cell. Estimates are means over blocks, with Student's t
intervals from the spread of the blocks. CLAIMS are judged in all cells, with intervals that hold simultaneously; a
claim is robust if it holds in every one. That no seat is better than another is tested jointly and paired by block, in
the baseline cell. Drafted games have no line-ups: they are played for every play under the baseline's tower, and the
answer says what can be compared. Every run lies in a folder PLAY/TOWER/ARRANGEMENT below the one named, and is not
played again if it is there. Whether line-up A wins more than its share in every cell is asked by the study `lineups`.
"""

from __future__ import annotations

from wallsim.studies.study import Choices, Judged, Study
from wallsim.studies.two_lines import SECOND, STRONG

from .estimates import CLAIMS, claim_outcomes, design, identity, play
from .figures import UNITS, add_figures
from .page import HEAD, page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture, (HEAD,), options=(STRONG, SECOND),
    judged=(Judged(CLAIMS, claim_outcomes, setups=("lineup",), units=UNITS),),
    games="blocks per cell, of 8 games each, instead of the study's", quick=Choices(games=64),
    colours=256,  # a scale of colours needs many
)  # fmt: skip

"""Tiles: what are a bonus tile and a place in the player order worth, and what bid for them breaks even?

Method. A block is 6 × players games in a row, in which each pair of seat and round is treated once. After all have
picked and before anything is done, the treated seat gets a tile, or none, instead of its own, or trades places with
whoever has the place asked for; tiles stay then. Nobody knows of it beforehand and no other luck changes. A tile is
compared with none, a place with the mean of all places, by block. At the two tables, of
experienced players who draft and of casual ones with line-ups, the seat also has the tile, or none, in every round: the
six rounds' effects add up to that, but for a rest. Thalers are victory points divided by the price of a Thaler in the
same cell and round (of the study `price`, whose games have another seed); their intervals carry its error (Fieller).
Beside it stands what the mere averages of holders would have said: by how much seats that held a tile ended above the
mean of their table, in the games without interventions. A cell is a play, a tower calibration and a
set-up, for each number of players. CLAIMS are judged in all cells, with intervals that hold simultaneously for a number
of players. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from wallsim.studies.study import Judged, Study

from .estimates import CLAIMS, claim_outcomes, design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    judged=(Judged(CLAIMS, claim_outcomes, games_a_row=3, some=claim_outcomes),),
)  # fmt: skip

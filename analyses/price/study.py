"""The price of a Thaler: what do gifts of Thalers, grain, victory points and an army bring a seat?

Method. A block is 24 games in a row (6 × players), in which each pair of seat and round is treated once. In each
scenario the treated seat gets one gift, at the start or before the round in which it is treated; nobody knows of it
beforehand and no other luck changes. The same games are played without gifts, and each number is the mean difference
of the treated seat's result, by block. A cell is a play (all seats alike, from weak to two lines of strong play), a
tower calibration and a set-up. The two tables, of experienced players who draft and of casual ones with line-ups, have
most blocks and are shown by round. CLAIMS are judged in all cells, with intervals that hold simultaneously. The price
of a Thaler is what four of them bring, divided by four, since no more can be bid. It is also measured with 3 and 5
players. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from wallsim.studies.study import Judged, Study

from .estimates import CLAIMS, claim_outcomes, design, identity, play
from .figures import UNITS, add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    judged=(Judged(CLAIMS, claim_outcomes, games_a_row=3, units=UNITS, some=claim_outcomes),),
)  # fmt: skip

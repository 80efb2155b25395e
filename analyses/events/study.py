"""Events: what does each of the twelve event cards do to its round, to the game, and as the winter's loss?

Method. A block is 24 games in a row, in which each round is treated four times. A card is forced into the treated
round: it lies open among the year's four and comes in that round. It is compared, on the same games, with the same card
forced and cancelled, so that all else is equal, the open cards and those of other rounds among it. What lying open does
is the card forced and cancelled against the card kept out of that year, with that round's card cancelled, too. In
winter each card is kept for the grain loss, and compared with the mean of the twelve. Counts are those of the whole
table in that round. Habits hold in one round and one seat of games without interventions, and are compared between
rounds in which a card lies open by itself and rounds in which it does not. A cell is a play, a tower calibration and a
set-up; the two tables, of experienced players who draft and of casual ones with line-ups, have most blocks and are
shown by round. GUESSES were written down before any game of this seed. CLAIMS are judged in all cells, with intervals
that hold simultaneously. The table by round is a screen: its findings are those of Benjamini and Hochberg's method.
Games without interventions, with numbers that follow, are the game's own lottery: a regression on which card came when
says what share of the variance of a seat's points the eight cards bring, and one joint test whether a forced card
brings what it brings there. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from wallsim.studies.study import Judged, Study

from .estimates import CLAIMS, claim_outcomes, design, identity, play
from .figures import UNITS, add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    judged=(Judged(CLAIMS, claim_outcomes, units=UNITS, some=claim_outcomes),),
    colours=256,  # a scale of colours needs many
)  # fmt: skip

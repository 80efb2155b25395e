"""Openings: what do casual and strong players lay on the boxes in the first season, and what does a frequent card do?

Method. Tables of casual players, and of each line of strong play, take the printed line-ups; every seat plays the same
policy. Counted are the cards of the first plan, by line-up and box, with the result of the seat that laid them; the
three most frequent cards are named, and cards of fewer than 30 plans count with the others. That says what players
do, not what a card is worth: they lay it for a reason. So with four players the same games are played again, in which
an intervention lays the card once the seat has planned; if the card lay on another box, the two change places. Seat,
luck and all other plans of the season stay. The number is the mean change of the seat's result in the games whose plan
changed. A block is a game. With --quick there are four players and few games.
"""

from __future__ import annotations

from wallsim.studies.study import Study

from .estimates import design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    games="games of four players at each table instead of the experiment's",
)  # fmt: skip

"""Skill and luck: how much of the result is the better player?

Method. For 3, 4 and 5 players two tournaments each at the table of `experiment.toml`: one of a ladder of policies from
weak to strong (the lines of strong play for that number of players, `balanced`, `balanced` with ever larger
misjudgements, and casual play), one of the zoo's styles, which are closer in strength. In a block every table of
policies plays every rotation over the seats; all its games share their cards. The upper ladder is those games of the
ladder where no policy of WEAKEST sits. (1) The variance of victory points, and of wins, among the seats of a table is
split into parts (`wallsim.analysis.tournament.skill`). (2) Wins by how much stronger a seat is than its opponents are
compared with the curve of Plackett and Luce; curve and difference have intervals too, from resamples of the blocks that
strengths and wins share. (3) The variation between blocks gives the number of games that distinguish neighbours on a
ladder. (4) The ladders of different numbers of players are compared pair by pair, by the policies that are on all
three. Tournaments lie in folders below the one named and are not played again if they are there; an interrupted study
resumes. All games are with line-ups; the study `ladder` shows a ladder in the draft.
"""

from __future__ import annotations

from wallsim.studies.study import Choices, Study

from .estimates import STRONG, design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture, options=(STRONG,),
    games="games of each tournament, about", quick=Choices(games=2_000),
    colours=256,  # so that parts with little room keep theirs
)  # fmt: skip

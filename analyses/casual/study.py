"""Casual play: how near do policies come to what people score and do at casual tables of five?

Method. Each policy plays the games of `experiment.toml` in all five seats, each seat with its own line-up. Measured is
what people tell of their games (`reported.py`): victory points by place, Thalers bid by the
order of choosing, buildings a round, and the share of attacks that go against neutral counties. A block is a game;
Student's t intervals from the spread of the games hold for a whole table simultaneously (Bonferroni). The figures of
people have no intervals, since nobody knows of how many tables they are. Runs lie in folders by policy below the one
named and are not played again if they are there.
"""

from __future__ import annotations

from wallsim.studies.study import Choices, Study

from .estimates import NAMES, design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture, options=(NAMES,),
    games="games of each policy instead of the experiment's", quick=Choices(games=200),
)  # fmt: skip

"""The zoo: what does every policy do, how different are the policies, and how does each perform against `balanced`?

Method. A block is a game number: it has the same seed, so the same cards, events and openings for all policies. Every
policy of `data/policies` is measured at two tables: in all seats of that of `experiment.toml`, and alone among its
policy, in each seat once, so that it has every line-up equally often; the second is played in the draft too, and so is
the table of the baseline alone. What a policy does is measured among copies of itself, its share of wins alone among
the baseline. Estimates are ratios of sums over blocks, with Student's t intervals from the spread of the blocks. The
intervals of a table hold simultaneously with 95 % (Bonferroni). The openings of a policy are those of its first games
among copies of itself, in which a block is a game. Two policies are called plainly different if in some measure the
interval of their standardised difference (Cohen's d, from one seat's game to another's) lies beyond 0.8, where the
intervals of all pairs and all measures hold simultaneously. Runs lie in folders below the one named and are not played
again if they are there, and an interrupted study resumes; the few games of the openings are played anew.
"""

from __future__ import annotations

from wallsim.studies.study import Choices, Study

from .estimates import POLICIES, design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    options=(POLICIES,), games="game numbers instead of the experiment's", quick=Choices(games=64),
    colours=128,  # shades of numbers, in a picture of many rows
)  # fmt: skip

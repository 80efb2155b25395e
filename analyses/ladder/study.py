"""The ladder: how strong is every policy, how do the lines of strong play meet, and does a search beat them?

Method. The policies play a tournament at the table of `experiment.toml`: in every block each set of them that fills the
table plays in all rotations over the seats, and strengths are fitted to the rankings (Plackett and Luce), with
intervals from resampled blocks. They play as many blocks in the draft, and the two ladders are compared. Then, at
tables of three, four and five, the taught policy and each line of strong play for so many players sit alone among
`balanced`, among the strong policies of before and among the lines, and the search among copies of the policy whose
weights it plays with; in every seat in turn, with line-ups and in the draft; a block is a game number. Games lie in the
folder named and are not played again if they are there.
"""

from __future__ import annotations

from wallsim.studies.study import Choices, Study
from wallsim.studies.two_lines import SECOND

from .estimates import NAMES, OF_BLOCKS, OF_SEARCHES, design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    options=(NAMES, OF_BLOCKS, OF_SEARCHES, SECOND), games="games of each table with a strong policy",
    quick=Choices(games=120, options={"blocks": "8", "searches": "4"}),
)  # fmt: skip

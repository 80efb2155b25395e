"""The tower: which outcomes do nine dice towers change, and which conclusions are robust to them?

Method. A block is a game number: it has the same seed, so the same cards, events and openings, under every tower and in
every arrangement of seats. Under each of nine towers, with line-ups and in the draft, are played (1) tables of four
alike, from weak to two lines of strong play, `balanced` as in the experiment of `experiment.toml` among them; (2) for
two pairs of policies the six ways to give two seats to each, so that each policy has every seat equally often. A cell
is a play, or a pair, under a tower and a set-up; where only a tower is named, the outcome is that of `balanced`, or of
the pair, with line-ups. Estimates are means or ratios over blocks, with Student's t intervals from the spread of the
blocks, and differences between towers are paired by block. All intervals, of all outcomes, cells and pairs of towers,
hold simultaneously with 95 % (Bonferroni). Attacks of the first games are recast with one defender more. CLAIMS were
written down before a game of this seed was played, but after pilots with other seeds, of which those of the recasts saw
all nine towers. A claim is answered by all its cells at once; one about a pair of policies covers only these two. Runs
lie in folders PLAY/TOWER/SETUP below the one named and are not played again if they are there, and an interrupted study
resumes.
"""

from __future__ import annotations

from wallsim.studies.study import Choices, Study
from wallsim.studies.two_lines import SECOND, STRONG

from .estimates import design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    options=(STRONG, SECOND), games="blocks instead of the experiment's games", quick=Choices(games=64),
)  # fmt: skip

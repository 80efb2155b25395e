"""Play: how do casual and strong players play, and what does another habit bring one seat?

Method. Tables of casual players with the printed line-ups, and of each line of strong players who draft, are played as
they are, and their actions counted by round. Then one seat follows a saying of players: some of its weights are set so
that it does what the saying says, or code answers one question otherwise, and all else stays. It is played in every
seat, in the same games as before, and each number is the mean change of that seat's result by block of games. A
measure shows that the habit did change; where it hardly did, the players play so already. The others do not adapt. A
habit that costs may be one that the seat was not prepared for. So at tables of four a seat is tuned for every habit
that costs there: a search has set all its other weights, and another one those of a seat without a habit, as long. The
two are compared in the same games, which the searches did not play. At tables of four, attacks of players and lost
counties are counted by county. With --quick there are four players and few games.
"""

from __future__ import annotations

from wallsim.studies.study import Study

from .estimates import design, identity, play
from .figures import add_figures
from .page import page, picture

STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture,
    games="numbers of games at a table of four instead of the experiment's",
)  # fmt: skip

"""What a replay of some chunks says about the others: hypergeometric probabilities.

With k of C chunks forged, a draw of N chunks without replacement misses all of them with probability
(C-k)/C · (C-k-1)/(C-1) · … (N factors), which for many chunks is (1 - k/C)^N.
"""

from __future__ import annotations

from math import ceil

LEVEL = 0.95
SHARE = 0.05  # the share of forged chunks whose probability of detection is reported


def detection(chunks: int, drawn: int, forged: int) -> float:
    """The probability that `drawn` of `chunks` chunks include at least one of the `forged` ones."""
    missed = 1.0
    for number in range(drawn):
        missed *= max(0, chunks - forged - number) / (chunks - number)
    return 1.0 - missed


def forged_of(chunks: int, share: float = SHARE) -> int:
    """The number of chunks that make up a share of them, at least one."""
    return max(1, ceil(share * chunks - 1e-9))


def largest_undetected(chunks: int, drawn: int, level: float = LEVEL) -> int:
    """The largest number of forged chunks that a draw misses with a probability above 1 - `level`."""
    low, high = 0, chunks - drawn
    while low < high:
        middle = (low + high + 1) // 2
        if detection(chunks, drawn, middle) < level:
            low = middle
        else:
            high = middle - 1
    return low

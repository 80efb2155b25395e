"""The best way to put cards on boxes: shortest augmenting paths (Jonker and Volgenant 1987), without allocation.

Worths are rounded to whole millionths and carry their column in the low bits, so that the search for the best
column is an integer minimum, which a processor computes for many columns in one instruction.
"""

import numpy as np

from wallsim.jit import kernel

_SCALE = 1e6
_COLUMN_BITS = 7
_COLUMN_MASK = 63
_TAKEN = 64  # among equals a free column comes first
_FAR = 1 << 50
_NEVER = 1 << 48
_LANES = 16  # columns are padded to whole vectors: a remainder would be searched one by one
_BIDS_PER_ROW = 3  # before shortest paths settle the rest


@kernel
def assign(mind, rows, columns):
    """Give each of `rows` a column of its own so that the sum of `mind.value[row, column]` is greatest.

    `rows` <= `columns` <= 64, values within a million. Writes the column of each row to `mind.chosen`. Rows first
    bid for their favourite column up to where their second choice is as good, displacing the row that has it; shortest
    augmenting paths then serve the rows that are left.
    """
    width = (columns + _LANES - 1) & -_LANES
    for column in range(width):
        mind.price[column] = 0
        mind.holder[column] = -1
        mind.taken[column] = 0
    for row in range(rows):
        mind.chosen[row] = -1
        mind.queue[row] = row
        for column in range(width):
            cost = np.int64(-_SCALE * mind.value[row, column])
            mind.cost[row, column] = cost if column < columns else _NEVER
    waiting = rows
    for _ in range(_BIDS_PER_ROW * rows):
        if waiting == 0:
            break
        waiting -= 1
        waiting += _bid(mind, mind.queue[waiting], width, waiting)
    for row in range(rows):
        if mind.chosen[row] < 0:
            _augment(mind, row, width)
            for column in range(columns):
                if mind.holder[column] >= 0:
                    mind.chosen[mind.holder[column]] = column


@kernel
def _bid(mind, row, columns, waiting):
    """Let a row take its favourite column. Returns 1 if that displaced another row, which joins `mind.queue`."""
    best = _FAR << _COLUMN_BITS
    second = best
    for column in range(columns):
        key = ((mind.cost[row, column] + mind.price[column]) << _COLUMN_BITS) | mind.taken[column] | column
        second = min(second, max(best, key))
        best = min(best, key)
    column = best & _COLUMN_MASK
    lead = (second >> _COLUMN_BITS) - (best >> _COLUMN_BITS)
    displaced = mind.holder[column]
    if displaced >= 0 and lead == 0:
        return 0  # level with another taken column: leave the row to the shortest paths
    mind.price[column] += lead
    mind.holder[column] = row
    mind.taken[column] = _TAKEN
    mind.chosen[row] = column
    if displaced < 0:
        return 0
    mind.chosen[displaced] = -1
    mind.queue[waiting] = displaced
    return 1


@kernel
def _augment(mind, start, columns):
    """Find the cheapest chain of swaps that frees a column for `start`, swap along it and adjust the prices."""
    for column in range(columns):
        mind.slack[column] = _FAR
        mind.reached[column] = 0
    row, last, total, content = start, -1, 0, 0
    while True:
        base = total - content
        key = _FAR << _COLUMN_BITS
        for column in range(columns):
            loss = base + mind.cost[row, column] + mind.price[column]
            nearer = loss < mind.slack[column]
            mind.came_from[column] = last if nearer else mind.came_from[column]
            mind.slack[column] = loss if nearer else mind.slack[column]
            key = min(key, ((mind.slack[column] + mind.reached[column]) << _COLUMN_BITS) | column)
        last = key & _COLUMN_MASK
        total = key >> _COLUMN_BITS
        row = mind.holder[last]
        if row < 0:
            break
        mind.reached[last] = _FAR
        content = mind.cost[row, last] + mind.price[last]
    for column in range(columns):
        mind.price[column] += total - mind.slack[column] if mind.reached[column] else 0
    while last >= 0:
        before = mind.came_from[last]
        mind.holder[last] = start if before < 0 else mind.holder[before]
        last = before

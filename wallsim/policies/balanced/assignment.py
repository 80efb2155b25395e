"""The best way to put cards on boxes: shortest augmenting paths (Jonker and Volgenant 1987), without allocation.

Worths are rounded to whole millionths and moved up by seven bits, in which prices carry their column. So the search for
the best column is an integer minimum that needs no second look for where it was found.
"""

import numpy as np

from wallsim.jit import kernel

_SCALE = 1e6
_COLUMN_BITS = 7
_COLUMN_MASK = 63
_TAKEN = 64  # among equals a free column comes first
_WORTH_MASK = -(1 << _COLUMN_BITS)  # what remains without column and _TAKEN
_FAR = 1 << 57
_NEVER = 1 << 55
_LANES = 16  # columns are padded to whole vectors: a remainder would be searched one by one
_BIDS_PER_ROW = 3  # before shortest paths settle the rest


@kernel(apart=True)
def assign(mind, rows, columns):
    """Give each of `rows` a column of its own so that the sum of `mind.value[row, column]` is greatest.

    `rows` <= `columns` <= 64, values within a million. Writes the column of each row to `mind.chosen`. Rows first
    bid for their favourite column up to where their second choice is as good, displacing the row that has it; shortest
    augmenting paths then serve the rows that are left.
    """
    width = (columns + _LANES - 1) & -_LANES
    for column in range(width):
        mind.price[column] = column
        mind.holder[column] = -1
    for row in range(rows):
        mind.chosen[row] = -1
        mind.queue[row] = row
        for column in range(width):
            cost = np.int64(-_SCALE * mind.value[row, column]) << _COLUMN_BITS
            mind.cost[row, column] = cost if column < columns else _NEVER
    _bid(mind, rows, columns)
    waiting = 0
    for row in range(rows):
        waiting += mind.chosen[row] < 0
    for row in range(rows):
        if mind.chosen[row] < 0:
            waiting -= 1
            _augment(mind, row, width, waiting > 0)


@kernel
def _bid(mind, rows, columns):
    """Let rows take their favourite columns in turn; a row that is displaced bids again at once.

    A new price is written while the next row looks for its favourite: to read what was only just written to one place
    of many would keep the processor waiting.
    """
    waiting = rows
    last, price_of_last = 0, 0
    for _ in range(_BIDS_PER_ROW * rows):
        if waiting == 0:
            break
        waiting -= 1
        row = mind.queue[waiting]
        best = _FAR
        second = best
        for column in range(columns):
            price = mind.price[column]
            price = price_of_last if column == last else price
            mind.price[column] = price
            key = mind.cost[row, column] + price
            second = min(second, max(best, key))
            best = min(best, key)
        last = best & _COLUMN_MASK
        lead = (second & _WORTH_MASK) - (best & _WORTH_MASK)
        displaced = mind.holder[last]
        price_of_last = mind.price[last]
        if displaced >= 0 and lead == 0:
            continue  # level with another taken column: leave the row to the shortest paths
        price_of_last = (price_of_last | _TAKEN) + lead
        mind.holder[last] = row
        mind.chosen[row] = last
        if displaced >= 0:
            mind.chosen[displaced] = -1
            mind.queue[waiting] = displaced
            waiting += 1
    mind.price[last] = price_of_last


@kernel
def _augment(mind, start, columns, more):
    """Find the cheapest chain of swaps that frees a column for `start` and swap along it.

    Prices are adjusted only if `more` rows wait.
    """
    key = _FAR
    for column in range(columns):
        loss = mind.cost[start, column] + (mind.price[column] & _WORTH_MASK)
        mind.slack[column] = loss
        mind.came_from[column] = -1
        key = min(key, loss | column)
    reached = 0
    while True:
        last = key & _COLUMN_MASK
        total = key & _WORTH_MASK
        row = mind.holder[last]
        if row < 0:
            break
        reached |= 1 << last
        base = total - mind.cost[row, last] - (mind.price[last] & _WORTH_MASK)
        key = _FAR
        for column in range(columns):
            loss = base + mind.cost[row, column] + (mind.price[column] & _WORTH_MASK)
            least = mind.slack[column]
            nearer = loss < least
            before = mind.came_from[column]
            mind.came_from[column] = last if nearer else before
            least = loss if nearer else least
            mind.slack[column] = least
            key = min(key, _FAR if (reached >> column) & 1 else least | column)
    if more:
        for column in range(columns):
            mind.price[column] += total - mind.slack[column] if (reached >> column) & 1 else 0
    while last >= 0:
        before = mind.came_from[last]
        row = start if before < 0 else mind.holder[before]
        mind.holder[last] = row
        mind.chosen[row] = last
        last = before

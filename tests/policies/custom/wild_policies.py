"""Policy files that break out of what is allowed, each with what the message that refuses it names."""

HEAD = "from wallsim.jit import kernel, lowest_bit\n\n"
PLACE = HEAD + "def place(game, rules, mind, seat, free):\n    {body}\n    return lowest_bit(free)\n"
NUMPY_RANDOM = "import numpy as np\n" + PLACE.format(body="if np.random.random() < 0.5:\n        return 9")
HELPER_DRAWS = (
    "import random\n"
    + HEAD
    + "@kernel\ndef pick(free):\n    return random.randrange(5)\n\n"
    + "def place(game, rules, mind, seat, free):\n    return min(pick(free), lowest_bit(free))\n"
)
DEEP_HELPER_DRAWS = (
    "import numpy as np\n"
    + HEAD
    + "@kernel(apart=True)\ndef inner(free):\n    numbers = np.arange(5)\n    np.random.shuffle(numbers)\n"
    + "    return numbers[0]\n\n@kernel(apart=True)\ndef outer(free):\n    return inner(free) + 1\n\n"
    + "def place(game, rules, mind, seat, free):\n    return min(outer(free), lowest_bit(free))\n"
)
SEEDED = "import numpy as np\n" + PLACE.format(body="np.random.seed(7)")
HASHES_TEXT = PLACE.format(body="if hash(str(free)) < 9:\n        return 9")
CALLS_PYTHON = (
    "import time\nimport numba\n"
    + HEAD
    + "@kernel(apart=True)\ndef now(seat):\n    with numba.objmode(seconds='int64'):\n"
    + "        seconds = int(time.time())\n"
    + "    return seconds\n\ndef place(game, rules, mind, seat, free):\n"
    + "    return lowest_bit(free) if now(seat) > 9 else 9\n"
)
CALLS_C = "import ctypes\nrand = ctypes.CDLL(None).rand\nrand.argtypes = []\n" + PLACE.format(
    body="if rand() < 9:\n        return 9"
)
ASKS_FOR_ITS_THREAD = "import numba\n" + PLACE.format(body="if numba.get_thread_id() > 0:\n        return 9")
UNREPEATABLE = {
    "numpy": (NUMPY_RANDOM, "line 5: place: np.random.random", "`below`, `coin`, `shuffle`", "SEAT + seat"),
    "helper": (HELPER_DRAWS, "line 6: pick, called by place: random.randrange"),
    "deep helper": (DEEP_HELPER_DRAWS, "line 7: inner, called by place: np.random.shuffle"),
    "seeded": (SEEDED, "line 5: place: np.random.seed"),
    "text": (HASHES_TEXT, "line 4: place: hash"),
    "thread": (ASKS_FOR_ITS_THREAD, "line 5: place: numba.get_thread_id"),
    "python": (CALLS_PYTHON, "line 7: now, called by place: numba.objmode"),
    "ctypes": (CALLS_C, "line 7: place: rand"),
}  # fmt: skip

FAR_WRITE = PLACE.format(body="mind.worth[10**12 + seat] = 1.0")
FAR_READ_BY_A_HELPER = (
    HEAD
    + "@kernel\ndef armies(game, county):\n    return game.army[county]\n\n"
    + "def place(game, rules, mind, seat, free):\n    return lowest_bit(free) if armies(game, 45) >= 0 else 9\n"
)
NEAR_READ = PLACE.format(body="mind.armies = game.thalers[seat + 5]")
FAR_IN_A_KERNEL_OF_WALLSIM = (
    "from wallsim.state.game import own_neighbours\n\n\n"
    "def move(game, rules, mind, seat, county):\n    mind.armies = 0\n"
    "    mind.target = own_neighbours(game, rules, seat, county + 10**11) & 1\n"
)
ENDLESS_RECURSION = (
    "from numba import njit\n"
    + HEAD
    + "@njit\ndef deep(depth, mask):\n    if mask == -7:\n        return 1\n"
    + "    return deep(depth + 1, mask) * 3 + deep(depth + 2, mask)\n\n"
    + "def place(game, rules, mind, seat, free):\n    return lowest_bit(free) + deep(0, free) * 0\n"
)
ENDLESS_LOOP = PLACE.format(
    body="number = free\n    while free != 99:\n        number = (number * 3 + 1) & 1023\n"
    "        if number == 5000:\n            return number"
)
ENDS_THE_PROCESS = {
    "recursion": (ENDLESS_RECURSION, "place", "wild.py, line 10", "SIGSEGV"),
    "kernel": (FAR_IN_A_KERNEL_OF_WALLSIM, "wild.py, line 4", "SIGSEGV"),
    "loop": (ENDLESS_LOOP, "place", "wild.py, line 3", "2 s of CPU time"),
}
OUT_OF_BOUNDS = {
    "far write": (FAR_WRITE, "place: raises IndexError: line 4"),
    "read by a helper": (FAR_READ_BY_A_HELPER, "place: raises IndexError: line 5"),
    "near read": (NEAR_READ, "place: raises IndexError: line 4"),
}

# Where the machine code lies in memory differs from process to process; each question takes another bit.
READS_ADDRESSES = HEAD + (
    "def place(game, rules, mind, seat, free):\n"
    "    box = (mind.guard[0] >> (12 + 5 * game.season + 3 * game.year)) % 5\n"
    "    return box if (free >> box) & 1 else lowest_bit(free)\n"
)
# After the trial, so that only a chunk that is played again shows it.
READS_ADDRESSES_LATER = READS_ADDRESSES.replace(
    "    box =", "    if game.number < 2:\n        return lowest_bit(free)\n    box =", 1
)
# The record of faults lasts: a place to remember earlier games in.
REMEMBERS_IN_THE_MIND = PLACE.format(body="mind.fault[5] += game.number == 30")
# Rules are not restored between two answers: a place to remember in, until that is noticed too.
REMEMBERS_IN_THE_RULES = HEAD + (
    "def place(game, rules, mind, seat, free):\n    rules.starting_thalers[0] += 1\n"
    "    rest = free & (free - 1)\n"
    "    return lowest_bit(rest if rest != 0 and rules.starting_thalers[0] % 2 == 0 else free)\n"
)
CRASHES_LATER = PLACE.format(body="if game.number == 30:\n        mind.worth[10**12 + seat] = 1.0")
HONEST = '"""Takes any free box."""\nfrom wallsim.state.random import SEAT, below\n' + HEAD + (
    "@kernel\ndef pick(game, seat):\n    return below(game, SEAT + seat, 5)\n\n"
    "def place(game, rules, mind, seat, free):\n    box = pick(game, seat)\n"
    "    return box if (free >> box) & 1 else lowest_bit(free)\n"
)  # fmt: skip

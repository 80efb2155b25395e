"""Numbers that say what kind of policy a mind is and how wide it searches; read without arrays and compiler."""

RANDOM, BALANCED = range(2)
MAX_WIDTH = 128  # plans that a searching policy tries
MAX_TABLES = 128  # on which it tries them
MAX_ADVISERS = 7  # other policies whose weights make plans

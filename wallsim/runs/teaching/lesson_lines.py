"""The lines of a teaching's journal and the names of its files; reading them needs neither NumPy nor the compiler."""

from __future__ import annotations

from wallsim.runs.learning.journal_lines import ChunkLines

LESSON_BLOCK = 20  # games of one seating, the unit of all intervals
LESSON_CHUNK = 20  # blocks that are played and stored together
TEACHING = "teaching"  # the kind of work in the header of a journal


class LessonLines(ChunkLines):
    """The lines of a teaching: chunks in order, in each one the numbers of players in the order of the command."""

    kind = TEACHING
    room = "lessons"
    counts = ("games", "lessons")

"""A policy-like file of two small kernels and an entry point, loaded again as by another process."""

import importlib.util
import itertools
import shutil
import sys
from pathlib import Path

from wallsim import jit

SOURCE = """
from wallsim.jit import call_int, entry_point, kernel


@kernel(apart=True)
def third_power(number):
    return number * number * number


@kernel
def sum_of_powers(first, last):
    total = 0
    for number in range(first, last):
        total += third_power(number)
    return total


def answer(number):
    return third_power(number) + 1


@kernel
def asked(address, number):
    return call_int(address, (number,))
"""
FILE = "small.py"
RIGHT = (sum(number**3 for number in range(10)), 27, 28)
_numbers = itertools.count()


class SmallKernels:
    """The file, its compiled kernels on the disk, and what they answer when they are loaded."""

    def __init__(self, folder: Path) -> None:
        """The folder is empty or has the file already; its compiled kernels lie with all others."""
        self.source = folder / FILE
        if not self.source.exists():
            self.source.write_text(SOURCE, "utf-8")
        self.compiled = 0
        self.answers()
        self.cache = Path(self.module.third_power._cache.cache_path)
        self._whole = {path: path.read_bytes() for path in self.cache.iterdir()}

    def restore(self):
        """Put source and machine code back as they were at first."""
        self.source.write_text(SOURCE, "utf-8")
        shutil.rmtree(self.cache)
        self.cache.mkdir()
        for path, content in self._whole.items():
            path.write_bytes(content)

    def answers(self):
        """Load the file again, call its kernels, and count how many of the four were compiled rather than loaded."""
        name = f"small_{next(_numbers)}"
        # Python tells sources apart by second and size, which a quick edit leaves as they are.
        Path(importlib.util.cache_from_source(str(self.source))).unlink(missing_ok=True)
        spec = importlib.util.spec_from_file_location(name, self.source)
        self.module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        address = jit.entry_point(self.module.answer, (), 1, True)
        entry = jit._ENTRY_POINTS[-1]
        result = self.module.sum_of_powers(0, 10), self.module.third_power(3), self.module.asked(address, 3)
        kernels = (self.module.third_power, self.module.sum_of_powers, self.module.asked)
        self.compiled = sum(sum(each._cache_misses.values()) for each in kernels) + (1 - entry.cache_hits)
        return result

    def assert_right(self, compiled, right=RIGHT):
        """Assert that the kernels answer right, and that so many of the four were compiled rather than loaded."""
        assert self.answers() == right
        assert self.compiled == compiled

    def files(self, ending):
        """The files of the cache that end so, `nbi` for an index and `nbc` for machine code."""
        return sorted(self.cache.glob(f"*.{ending}"))

"""What errors of bad input are tested by: what they name, such as the key, the value and what is allowed.

Their sentences may be written better at any time.
"""

from contextlib import contextmanager

import pytest

from wallsim.errors import InputError


@contextmanager
def refused(*names, by=InputError):
    """Expect an error of this class that names all of these."""
    with pytest.raises(by) as caught:
        yield caught
    assert_names(str(caught.value), *names)


def assert_names(text, *names):
    """Assert that a text has each of these, wherever its lines are broken."""
    flat = " ".join(text.split())
    missing = [str(name) for name in names if " ".join(str(name).split()) not in flat]
    assert not missing, f"{missing} are not named in: {text}"

"""The notes that a custom policy has passed its trial: a damaged one costs another trial and nothing else."""

import pytest

from tests.compile_cache.test_files import DAMAGES
from wallsim.play.custom_checks import has_passed, note_passed

KEY = "0123456789abcdef" * 4


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_note_is_not_believed_and_is_replaced(tmp_path, monkeypatch, damage):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not has_passed(KEY)
    note_passed(KEY)
    assert has_passed(KEY)
    (note,) = (tmp_path / "tried-policies").iterdir()
    DAMAGES[damage](note)
    assert not has_passed(KEY)
    note_passed(KEY)
    assert has_passed(KEY) == (damage != "folder")

"""The words of a picture: which there are, and whether a reader can see them all."""

from itertools import combinations


def words_of(figure):
    """All words that are drawn: of ticks, those within the limits of their axis."""
    figure.canvas.draw()
    words = [text for text in (figure._suptitle, figure._supxlabel, figure._supylabel) if text is not None]
    for legend in figure.legends:
        words += [legend.get_title(), *legend.get_texts()]
    for axes in figure.axes:
        words += [axes._left_title, *axes.texts]
        for place, axis in enumerate((axes.xaxis, axes.yaxis)):
            if axis.get_visible():
                low, high = sorted(axis.get_view_interval())
                words += [axis.label, *(t for t in axis.get_ticklabels() if low <= t.get_position()[place] <= high)]
    return [text for text in words if text.get_visible() and text.get_text().strip()]


def assert_all_in_sight(figure):
    """No word is cut off or too small; all words, as a list."""
    words = words_of(figure)
    for text in words:
        box = text.get_window_extent()
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= figure.bbox.x1, text
        assert box.y1 <= figure.bbox.y1, text
        assert text.get_fontsize() >= 8, text
    return words


def assert_apart(words):
    """Words do not touch each other."""
    boxes = [(text.get_text(), text.get_window_extent()) for text in words]
    assert not [(a[0], b[0]) for a, b in combinations(boxes, 2) if a[1].overlaps(b[1])]


def heading(figure):
    """The words over all panels, on one line."""
    return " ".join(figure.get_suptitle().split())

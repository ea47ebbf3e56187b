"""A badge of a run: the passed checks of its latest whole day as a small SVG image."""

from xml.sax.saxutils import escape

LABEL = "run quality"
NO_DAY = "no whole day yet"
_GREEN, _YELLOW, _RED, _GREY = "#2e7d32", "#9a6700", "#b3261e", "#5f6368"
_GOOD_SHARE = 0.8
_CHARACTER_WIDTH = 7
_MARGIN = 6
# The length of a text is given, so that the badge looks the same in every font.
_BADGE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" \
role="img" aria-label="{title}"><title>{title}</title>\
<rect width="{width}" height="20" rx="3" fill="#3c4043"/>\
<rect x="{split}" width="{right}" height="20" rx="3" fill="{colour}"/>\
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">\
<text x="{margin}" y="14" textLength="{label_length}">{label}</text>\
<text x="{message_x}" y="14" textLength="{message_length}">{message}</text>\
</g></svg>
"""


def quality_badge(passed: int, checks: int) -> str:
    """Return the badge: green if all checks passed, yellow for most; grey without a check."""
    message = f"{passed}/{checks} checks" if checks else NO_DAY
    label_length, message_length = (len(text) * _CHARACTER_WIDTH for text in (LABEL, message))
    split, right = label_length + 2 * _MARGIN, message_length + 2 * _MARGIN
    return _BADGE.format(
        width=split + right,
        split=split,
        right=right,
        colour=_colour(passed, checks),
        title=escape(f"{LABEL}: {message}"),
        margin=_MARGIN,
        label=LABEL,
        label_length=label_length,
        message=message,
        message_x=split + _MARGIN,
        message_length=message_length,
    )


def _colour(passed: int, checks: int) -> str:
    if not checks:
        return _GREY
    if passed == checks:
        return _GREEN
    return _YELLOW if passed >= _GOOD_SHARE * checks else _RED

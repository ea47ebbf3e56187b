"""The reference page of the metrics is what their definitions say."""

from apps.metrics.definitions import DEFINITIONS
from tools.reference.metrics import COMMAND, PAGE, page_of


class TestPage:
    def test_is_current(self) -> None:
        assert PAGE.read_text(encoding="utf-8") == page_of(DEFINITIONS), (
            f"the page is not current: write it again with {COMMAND}"
        )

    def test_tells_labels_and_buckets(self) -> None:
        page = page_of(DEFINITIONS)
        assert "- `route`: template of the path" in page
        assert "- buckets: 0.005, 0.01," in page

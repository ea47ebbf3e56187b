"""The reference page of chains is what the code says."""

from apps import wiring
from apps.console.chain_reference import COMMAND, PAGE, page_of
from tests.model_server.example import IMPORTANCES


class TestPage:
    def test_is_current(self) -> None:
        assert PAGE.read_text(encoding="utf-8") == page_of(wiring.CHAINS), (
            f"the page is not current: write it again with {COMMAND}"
        )

    def test_tells_of_every_chain(self) -> None:
        page = page_of(wiring.CHAINS)
        for chain in wiring.CHAINS:
            assert f"\n## {chain.name}\n" in page
            assert chain.wording.version in page

    def test_tells_inputs_form_fallback_and_wording(self) -> None:
        page = page_of([IMPORTANCES])
        assert "- `descriptions`: `tuple[str, ...]`" in page
        assert "- `importances`: list, each whole number, from 1, to 10" in page
        assert "**Fallback** `middling`" in page
        assert "How much does each matter, from 1 to 10?" in page

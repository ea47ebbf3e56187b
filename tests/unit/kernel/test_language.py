"""Phrases are printed in the language of the context, by each context on its own."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from apps.agents.phrases import last_talk_text
from apps.agents.status import LastTalk
from apps.kernel.language import (
    active_language,
    counted,
    languages,
    phrase,
    phrase_in,
    use_language,
)
from apps.kernel.text import join_and, join_or


class TestLanguages:
    def test_are_english_and_those_with_a_catalogue(self) -> None:
        assert languages() == ("en", "de")

    def test_hold_for_a_block(self) -> None:
        with use_language("de"):
            with use_language("en"):
                assert phrase("sleep") == "sleep"
            assert phrase("sleep") == "schlafen"
        assert active_language() == "en"

    def test_hold_for_a_thread_only_with_its_context(self) -> None:
        with use_language("de"), ThreadPoolExecutor(1) as threads:
            assert threads.submit(phrase, "sleep").result() == "sleep"
            in_context = threads.submit(copy_context().run, phrase, "sleep")
            assert in_context.result() == "schlafen"


class TestPhrases:
    def test_fill_placeholders_with_any_text(self) -> None:
        with use_language("de"):
            text = phrase("{name} is {activity}", name="Anna {x}", activity="liest {y}")
        assert text == "Anna {x} liest {y}"

    def test_without_a_translation_are_english(self) -> None:
        with use_language("de"):
            assert phrase("no such phrase {x}", x=1) == "no such phrase 1"
            assert phrase("") == ""

    def test_depend_on_a_context_of_use_where_one_is_named(self) -> None:
        with use_language("de"):
            assert phrase_in("state of an object", "idle") == "unbenutzt"
            assert phrase("idle") == "idle"

    def test_have_a_form_for_the_number(self) -> None:
        with use_language("de"):
            assert counted("{count} hour ago", "{count} hours ago", 1) == "vor 1 Stunde"
            assert counted("{count} hour ago", "{count} hours ago", 3) == "vor 3 Stunden"
        assert counted("{count} hour ago", "{count} hours ago", 3) == "3 hours ago"

    def test_join_lists(self) -> None:
        with use_language("de"):
            assert join_and(["a", "b", "c"]) == "a, b und c"
            assert join_or(["a", "b"]) == "a oder b"

    def test_make_up_sentences(self) -> None:
        talk = LastTalk(minutes_ago=2 * 24 * 60 + 5, gist="Sie sprachen über Brot.")
        with use_language("de"):
            text = last_talk_text(talk)
        assert text == (
            "Sie haben zuletzt vor 2 Tagen miteinander gesprochen. Sie sprachen über Brot."
        )

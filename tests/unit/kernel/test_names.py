"""Names of agents: what one may hold, and what prompts have of one that breaks the rule."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.names import (
    NAME_CHARACTERS_MAX,
    SLUG_CHARACTERS_MAX,
    name_fault,
    plain_name,
    slug_of,
)

REFUSED = {
    "": "empty",
    "  ": "empty",
    "a" * 41: "has 41 characters, and a name has at most 40",
    "Agent 7": "'7'",
    "Dr. Ana": "'.'",
    "Ana: system": "':'",
    "Ana\nsystem": r"U\+000A",
    "Ana <b>": "'<'",
    "Ana\u200b": r"U\+200B \(zero width space\)",
    "\u202eanA": r"U\+202E",
    "Ana\u2066": r"U\+2066",
    "Ana\u3164": r"U\+3164",
    "Ana\ufe0f": r"U\+FE0F",
    "Ana\u2028Lopez": r"U\+2028",
    "Ana\u00a0Lopez": r"U\+00A0",
    "$agent_name": r"'\$'",
    " Ana": "spaces at its ends",
    "Ana  Lopez": "spaces",
    "Ana - Lopez": "do not stand at a letter",
    "Ana--Lopez": "do not stand at a letter",
    "-": "do not stand at a letter",
    "\u0301Ana": "do not stand at a letter",
    "\u6c34" * 40: "too long for an address",
}


@pytest.mark.parametrize(
    "name",
    [
        "Isabella Rodriguez",
        "A",
        "Jean-Luc O'Neil",
        "D\u2019Angelo",
        "'t Hooft",
        "Jose\u0301 Mu\u00f1oz",
        "\u738b\u5c0f\u660e",
        "\u0645\u062d\u0645\u062f",
        "\u0936\u094d\u0930\u0940\u092e\u0924\u0940",
        "\u042f\u0301\u043d\u0430",
        "\u02bbAlohilani",
    ],
)
def test_takes_names_of_any_script(name: str) -> None:
    assert name_fault(name) is None
    assert plain_name(name) == name


@pytest.mark.parametrize("name", REFUSED)
def test_says_what_is_wrong_with_a_name(name: str) -> None:
    fault = name_fault(name)
    assert fault is not None
    assert re.search(REFUSED[name], fault), fault
    assert fault.isprintable()


@given(
    st.one_of(st.text(max_size=60), st.text("aB'- \u2019\u0301\u202e\u200b\n:<7", max_size=50))
)
def test_what_prompts_have_of_a_name_keeps_the_rule(name: str) -> None:
    plain = plain_name(name)
    assert name_fault(plain) is None
    assert 0 < len(plain) <= NAME_CHARACTERS_MAX
    assert 0 < len(slug_of(plain)) <= SLUG_CHARACTERS_MAX
    assert {unicodedata.category(sign)[0] for sign in plain if sign not in " -'\u2019"} <= set(
        "LM"
    )

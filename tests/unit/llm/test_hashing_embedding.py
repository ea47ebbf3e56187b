"""The default embedding: lexical, deterministic, never without direction."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import HASHING_STEMS

# Worked out once; if it changes, so do the vectors that are kept: name the model anew.
PINNED = [0.0, 0.0, 0.523758, 0.0, -0.209503, 0.697473, 0.140539, 0.419006]


def cosine(left: str, right: str) -> float:
    one, other = HashingEmbedding().embed([left, right])
    return sum(a * b for a, b in zip(one, other, strict=True))


class TestHashingEmbedding:
    @given(st.text(max_size=200))
    def test_gives_vectors_of_length_one(self, text: str) -> None:
        [vector] = HashingEmbedding().embed([text])
        assert len(vector) == 384
        assert math.isclose(math.hypot(*vector), 1.0, rel_tol=1e-9)

    def test_is_the_same_in_every_process(self) -> None:
        [vector] = HashingEmbedding(8).embed(["Isabella plans a Valentine's Day party"])
        assert [round(value, 6) for value in vector] == PINNED

    def test_finds_shared_words_nearer_than_strangers(self) -> None:
        query = "Who is invited to the Valentine's Day party?"
        party = "Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe"
        assert cosine(query, party) > cosine(query, "Klaus Mueller is writing a research paper")

    def test_counts_common_words_for_little(self) -> None:
        assert cosine("the stove is on", "the stove burns") > cosine(
            "the stove is on", "it is on the"
        )

    def test_looks_at_the_order_of_words(self) -> None:
        assert cosine("dog bites man", "dog bites man") > cosine(
            "dog bites man", "man bites dog"
        )

    def test_does_not_care_about_case(self) -> None:
        assert cosine("Hobbs Cafe", "hobbs cafe") == pytest.approx(1.0)


class TestStems:
    def test_find_other_forms_of_a_word(self) -> None:
        stems = HashingEmbedding(name=HASHING_STEMS)
        [walk, walking, walks, talking] = stems.embed(["walk", "walking", "walks", "talking"])
        assert walk == walking == walks != talking

    def test_leave_the_possessive_out(self) -> None:
        stems = HashingEmbedding(name=HASHING_STEMS)
        [owner, name] = stems.embed(["Rodriguez\u2019s", "rodriguez"])
        assert owner == name

    def test_keep_short_words(self) -> None:
        stems = HashingEmbedding(name=HASHING_STEMS)
        [sing, s, bed, b] = stems.embed(["sing", "s", "bed", "b"])
        assert sing != s
        assert bed != b

    def test_are_no_part_of_the_default(self) -> None:
        [walk, walking] = HashingEmbedding().embed(["walk", "walking"])
        assert walk != walking

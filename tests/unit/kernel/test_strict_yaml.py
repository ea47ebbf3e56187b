"""One reader of YAML, bounded in what it builds: files of users come from anywhere."""

from pathlib import Path

import pytest
import yaml

from apps.kernel.strict_yaml import FILE_BYTES_MAX, load_yaml, load_yaml_file

LISTS = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
)
TEXTS = f"text: &text {'x' * 10_000}\nall: [{', '.join(['*text'] * 1_000)}]"
MERGED = "\n".join(
    ["m0: &m0 {k: &t " + "x" * 50_000 + "}"]
    + [f"m{n}: &m{n} {{<<: *m{n - 1}, k{n}: *m{n - 1}}}" for n in range(1, 20)]
)


@pytest.mark.parametrize("text", [LISTS, TEXTS, MERGED])
def test_aliases_that_stand_for_too_much_are_refused(text: str) -> None:
    with pytest.raises(yaml.YAMLError, match="letters with its aliases"):
        load_yaml(text)


@pytest.mark.parametrize("text", ["&a [*a]", "&a {b: {c: *a}}"])
def test_an_alias_of_what_it_is_in_is_refused(text: str) -> None:
    with pytest.raises(yaml.YAMLError, match="line 1: an alias of what it is in"):
        load_yaml(text)


@pytest.mark.parametrize("sign", ["[", "{a: ", "- "])
def test_nesting_without_end_is_refused(sign: str) -> None:
    with pytest.raises(yaml.YAMLError):
        load_yaml(sign * 100_000)


def test_an_alias_and_a_merge_are_read() -> None:
    content, repeated = load_yaml("a: &a {x: 1}\nb: {<<: *a, y: no}\nc: *a")
    assert content == {"a": {"x": 1}, "b": {"x": 1, "y": "no"}, "c": {"x": 1}}
    assert repeated == []


def test_what_states_no_size_is_read_to_the_bound_alone() -> None:
    with pytest.raises(yaml.YAMLError, match=f"more than {FILE_BYTES_MAX:,} bytes"):
        load_yaml_file(Path("/dev/zero"))

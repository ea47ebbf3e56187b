"""Settings of a simulation: one model for defaults, bounds, messages, JSON schema."""

from typing import Any

import pytest

from apps.simulation.settings import (
    PRESETS,
    SimulationSettings,
    UnusableSettings,
    parse_settings,
    settings_schema,
)

SETTINGS = sorted(settings_schema())
CHOICES = [name for name in SETTINGS if "enum" in settings_schema()[name]]
NUMBERS = [name for name in SETTINGS if name not in CHOICES]


class TestParsing:
    def test_keeps_the_defaults_of_what_is_not_named(self) -> None:
        assert parse_settings(None) == SimulationSettings()
        assert parse_settings({"vision": 4}) == SimulationSettings(vision=4)

    def test_stores_whole_numbers_of_fractional_settings_as_such(self) -> None:
        stored = parse_settings({"retention_hours": 3}).model_dump(mode="json")
        assert repr(stored["retention_hours"]) == "3.0"
        assert SimulationSettings(**stored) == parse_settings({"retention_hours": 3})

    @pytest.mark.parametrize("name", NUMBERS)
    def test_takes_the_bounds_and_nothing_beyond(self, name: str) -> None:
        schema = settings_schema()[name]
        fits_alone = {"tick_seconds", "outline_chunks_min", "action_minutes_min"}
        for bound, beyond in (("minimum", -1), ("maximum", 1)):
            if bound == "minimum" or name not in fits_alone:
                settings = {name: schema[bound]} | _companion(name, schema[bound])
                assert getattr(parse_settings(settings), name) == schema[bound]
            with pytest.raises(UnusableSettings) as error:
                parse_settings({name: schema[bound] + beyond})
            assert error.value.message.startswith(f"{name} must be a ")
            assert f"between {schema['minimum']} and {schema['maximum']}" in error.value.message
            assert f"the default is {schema['default']}" in error.value.message

    @pytest.mark.parametrize("name", CHOICES)
    def test_takes_each_choice_and_names_them(self, name: str) -> None:
        schema = settings_schema()[name]
        for value in schema["enum"]:
            assert getattr(parse_settings({name: value}), name) == value
        for wrong in ("other", 1, None, ["standard"]):
            with pytest.raises(UnusableSettings) as error:
                parse_settings({name: wrong})
            choices = ", ".join(schema["enum"])
            assert error.value.message == f"{name} must be one of {choices}, not {wrong!r}"

    @pytest.mark.parametrize("value", [None, True, "8", [8], {}, float("nan"), 10**300])
    @pytest.mark.parametrize("name", ["vision", "retention_hours"])
    def test_names_the_setting_whose_value_is_wrong(self, name: str, value: Any) -> None:
        with pytest.raises(UnusableSettings, match=f"^{name} must be a "):
            parse_settings({name: value})

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"speed": 1}, "there is no setting 'speed'; there are action_minutes_max, "),
            ({"vision": 8.0}, "vision must be a whole number"),
            ({"tick_seconds": 7}, "tick_seconds must divide a minute"),
            (
                {"outline_chunks_min": 9},
                "outline_chunks_min must not exceed outline_chunks_max",
            ),
            (
                {"action_minutes_max": 4},
                "action_minutes_min must not exceed action_minutes_max",
            ),
        ],
    )
    def test_says_what_is_wrong(self, settings: dict[str, Any], message: str) -> None:
        with pytest.raises(UnusableSettings) as error:
            parse_settings(settings)
        assert error.value.message.startswith(message)


class TestPresets:
    def test_are_the_choices_of_the_setting(self) -> None:
        assert list(PRESETS) == settings_schema()["preset"]["enum"]

    @pytest.mark.parametrize("preset", PRESETS)
    def test_give_the_values_of_settings_that_are_not_named(self, preset: str) -> None:
        parsed = parse_settings({"preset": preset}).model_dump()
        values = {**SimulationSettings().model_dump(), **PRESETS[preset], "preset": preset}
        assert parsed == values

    def test_give_way_to_settings_that_are_named(self) -> None:
        parsed = parse_settings({"preset": "economy", "retrieval_tokens": 900})
        assert parsed.retrieval_tokens == 900
        assert parsed.reuse_hours == PRESETS["economy"]["reuse_hours"]

    def test_are_resolved_when_they_are_stored(self) -> None:
        parsed = parse_settings({"preset": "economy"})
        stored = parsed.model_dump(mode="json") | {"preset": "rich"}
        read = SimulationSettings(**stored)
        assert read.retrieval_tokens == PRESETS["economy"]["retrieval_tokens"]


class TestSchema:
    @pytest.mark.parametrize("name", SETTINGS)
    def test_describes_every_setting(self, name: str) -> None:
        members = set(settings_schema()[name])
        bounds = {"enum"} if name in CHOICES else {"minimum", "maximum"}
        assert members == {"type", "default", "description"} | bounds


def _companion(name: str, value: float) -> dict[str, float]:
    """Return the setting that has to change along with a bound of another one."""
    if name.endswith("_max") and name.removesuffix("_max") in {
        "outline_chunks",
        "action_minutes",
    }:
        return {
            f"{name.removesuffix('_max')}_min": min(value, settings_schema()[name]["minimum"])
        }
    return {}

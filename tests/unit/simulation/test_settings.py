"""Settings of a simulation: one model for defaults, bounds, messages, JSON schema."""

from typing import Any

import pytest

from apps.simulation.settings import (
    SimulationSettings,
    UnusableSettings,
    parse_settings,
    settings_schema,
)

SETTINGS = sorted(settings_schema())


class TestParsing:
    def test_keeps_the_defaults_of_what_is_not_named(self) -> None:
        assert parse_settings(None) == SimulationSettings()
        assert parse_settings({"vision": 4}) == SimulationSettings(vision=4)

    def test_stores_whole_numbers_of_fractional_settings_as_such(self) -> None:
        stored = parse_settings({"retention_hours": 3}).model_dump(mode="json")
        assert repr(stored["retention_hours"]) == "3.0"
        assert SimulationSettings(**stored) == parse_settings({"retention_hours": 3})

    @pytest.mark.parametrize("name", SETTINGS)
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


class TestSchema:
    @pytest.mark.parametrize("name", SETTINGS)
    def test_describes_every_setting(self, name: str) -> None:
        members = set(settings_schema()[name])
        assert members == {"type", "default", "minimum", "maximum", "description"}


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

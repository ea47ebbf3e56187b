"""The option --agents of commands: how many agents of a world, or which."""


def people_asked(asked: list[str] | None) -> int | list[str] | None:
    """Return the number or the names that the option gives, None for all agents."""
    if not asked:
        return None
    if len(asked) == 1 and asked[0].isdigit():
        return int(asked[0])
    return asked

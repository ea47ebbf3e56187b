"""The projection of decisions about reactions."""

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection
from apps.reaction.events import ReactionDecided
from apps.reaction.models import WeighedRow


def _weighed(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, ReactionDecided)
    WeighedRow.objects.bulk_create(
        WeighedRow(
            simulation_id=recorded.simulation_id,
            agent=recorded.stream,
            subject=subject,
            tick=recorded.tick,
            choice=event.choice,
            decisive=subject == event.about,
            what=event.what if subject == event.about else "",
            event=str(recorded.place),
        )
        for subject in dict.fromkeys(event.subjects)
    )


REACTIONS = Projection(models=(WeighedRow,), handlers={ReactionDecided: _weighed})

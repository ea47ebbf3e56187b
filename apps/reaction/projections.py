"""The projection of decisions about reactions."""

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection
from apps.eventlog.row_writing import row_of
from apps.reaction.events import ReactionDecided
from apps.reaction.models import WeighedRow


def _weighed(event: ReactionDecided, recorded: Recorded) -> None:
    WeighedRow.objects.bulk_create(
        row_of(
            WeighedRow,
            recorded,
            event,
            subject=subject,
            decisive=subject == event.about,
            what=event.what if subject == event.about else "",
        )
        for subject in dict.fromkeys(event.subjects)
    )


REACTIONS = Projection(models=(WeighedRow,), handlers={ReactionDecided: _weighed})

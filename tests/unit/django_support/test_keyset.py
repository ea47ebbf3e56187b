"""What a list must be ordered by to be read page by page; downloads show that the pages fit."""

import pytest
from django.db.models import F, QuerySet

from apps.django_support.keyset import Keyset, pages_of
from apps.eventlog.models import EventRow


class TestPages:
    @pytest.mark.parametrize(
        "rows",
        [
            EventRow.objects.order_by(),
            EventRow.objects.order_by("?"),
            EventRow.objects.order_by(F("tick").desc()),
            EventRow.objects.order_by("-tick", "stream"),
        ],
        ids=["none", "random", "an expression", "two directions"],
    )
    def test_need_an_order_by_fields_in_one_direction(self, rows: QuerySet[EventRow]) -> None:
        with pytest.raises(ValueError, match=r"order|field|direction"):
            next(pages_of(rows, 10))

    def test_need_a_value_in_every_field_of_the_order(self) -> None:
        row = EventRow(tick=3, stream="klaus-mueller")
        keyset = Keyset(fields=("tick", "stream", "ordinal"))
        with pytest.raises(ValueError, match="null"):
            keyset.values_of(row)
        row.ordinal = 1
        assert keyset.values_of(row) == (3, "klaus-mueller", 1)

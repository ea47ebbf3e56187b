"""What a list must be ordered by to be read page by page; downloads show that the pages fit."""

import pytest
from django.db.models import F, QuerySet

from apps.api.keyset import pages_of
from apps.eventlog.models import EventRow


class TestPages:
    @pytest.mark.parametrize(
        "rows",
        [
            EventRow.objects.order_by(),
            EventRow.objects.order_by("?"),
            EventRow.objects.order_by(F("tick").desc()),
        ],
        ids=["none", "random", "an expression"],
    )
    def test_need_an_order_by_fields(self, rows: QuerySet[EventRow]) -> None:
        with pytest.raises(ValueError, match=r"order|field"):
            next(pages_of(rows, 10))

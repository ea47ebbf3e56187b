"""The log. A trigger refuses UPDATE, and DELETE but of a whole simulation."""

from django.db import migrations, models

APPEND_ONLY = """
CREATE FUNCTION eventlog_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE'
       AND current_setting('smallville.deleting', true) = OLD.simulation_id::text THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER eventlog_append_only BEFORE UPDATE OR DELETE ON eventlog_eventrow
    FOR EACH ROW EXECUTE FUNCTION eventlog_append_only();
"""
CHANGEABLE = """
DROP TRIGGER eventlog_append_only ON eventlog_eventrow;
DROP FUNCTION eventlog_append_only();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="EventRow",
            fields=[
                ("position", models.BigAutoField(primary_key=True, serialize=False)),
                ("simulation_id", models.UUIDField()),
                ("tick", models.IntegerField()),
                ("stream", models.CharField(db_collation="C", max_length=120)),
                ("ordinal", models.IntegerField()),
                ("type", models.CharField(max_length=80)),
                ("data", models.JSONField()),
                ("cause", models.CharField(blank=True, default="", max_length=160)),
                ("model_calls", models.JSONField(default=list)),
                ("recorded_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "event",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "stream", "tick", "ordinal"],
                        name="event_of_stream",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "tick", "stream", "ordinal"),
                        name="event_identity",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ordinal__gte", 0), ("tick__gte", 0)),
                        name="event_place_not_negative",
                    ),
                ],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, CHANGEABLE),
    ]

"""The tables of the app `agents`."""

import django.db.models.functions.comparison
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="ActionRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("steps", models.JSONField()),
                ("description", models.TextField()),
                ("emoji", models.CharField(max_length=40)),
                ("area", models.CharField(max_length=300)),
                ("object", models.CharField(max_length=300)),
                ("object_state", models.TextField()),
                ("asleep", models.BooleanField()),
                ("towards", models.CharField(max_length=300)),
                ("until_tick", models.IntegerField()),
                ("plan_item", models.IntegerField()),
                ("event", models.CharField(max_length=160)),
                ("kind", models.CharField(default="planned", max_length=20)),
                ("act", models.CharField(default="none", max_length=20)),
                ("other", models.CharField(db_collation="C", default="", max_length=120)),
                ("activity", models.TextField(default="")),
            ],
            options={
                "verbose_name": "action",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "from_tick"], name="action_of_agent"
                    ),
                    models.Index(
                        models.F("simulation_id"),
                        django.db.models.functions.comparison.Coalesce("to_tick", 2147483647),
                        models.F("from_tick"),
                        name="action_ends",
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="action_copies",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ActReportRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("tick", models.IntegerField()),
                ("plan_item", models.IntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("outcome", models.CharField(max_length=20)),
                ("area", models.CharField(max_length=300)),
            ],
            options={
                "verbose_name": "report of an act",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "plan_item"],
                        name="act_report_of_item",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AdmissionRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("node", models.CharField(max_length=300)),
                ("host", models.CharField(db_collation="C", max_length=120)),
                ("reason", models.CharField(max_length=20)),
            ],
            options={
                "verbose_name": "admission",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "from_tick"],
                        name="admission_of_agent",
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="admission_copies",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AgentRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("name", models.CharField(max_length=120)),
                ("age", models.IntegerField()),
                ("traits", models.JSONField()),
                ("wake_minute", models.IntegerField()),
                ("sleep_minute", models.IntegerField()),
                ("dinner_minute", models.IntegerField(null=True)),
                ("home", models.CharField(max_length=300)),
                ("bed", models.CharField(max_length=300)),
                ("workplace", models.CharField(max_length=300, null=True)),
                ("description", models.TextField()),
                ("joined_tick", models.IntegerField()),
                ("left_tick", models.IntegerField(null=True)),
            ],
            options={
                "verbose_name": "agent",
                "indexes": [
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="agent_copies",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent"), name="agent_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DoorOpeningRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("tick", models.IntegerField()),
                ("node", models.CharField(max_length=300)),
                ("visitor", models.CharField(db_collation="C", max_length=120)),
                ("event", models.CharField(db_collation="C", max_length=160)),
            ],
            options={
                "verbose_name": "opened door",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "visitor", "tick"], name="door_opened_to"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="door_opening_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="KnownPlaceRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("node", models.CharField(max_length=300)),
                ("state", models.TextField()),
            ],
            options={
                "verbose_name": "known place",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "node", "from_tick"],
                        name="known_of_agent",
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="known_place_copies",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ObjectStateRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("object", models.CharField(db_collation="C", max_length=300)),
                ("state", models.TextField()),
                ("is_alarming", models.BooleanField(default=False)),
                ("event", models.CharField(db_collation="C", max_length=160)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
            ],
            options={
                "verbose_name": "set object state",
                "indexes": [
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="object_state_copies",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="object_state_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SeenAgentRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("subject", models.CharField(max_length=120)),
                ("description", models.TextField()),
                ("area", models.CharField(max_length=300)),
            ],
            options={
                "verbose_name": "seen agent",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "subject", "from_tick"],
                        name="seen_of_agent",
                    ),
                    models.Index(
                        fields=["simulation_id", "agent", "from_tick"], name="seen_in_tick"
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="seen_copies",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StayRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
            ],
            options={
                "verbose_name": "stay",
                "indexes": [
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="stay_copies",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "from_tick"), name="stay_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TurnedAwayRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("tick", models.IntegerField()),
                ("node", models.CharField(max_length=300)),
                ("why", models.TextField()),
            ],
            options={
                "verbose_name": "refused attempt",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick"], name="turned_away_of_agent"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="UseRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("node", models.CharField(max_length=300)),
                ("is_area", models.BooleanField()),
                ("state", models.TextField()),
                ("since_tick", models.IntegerField()),
            ],
            options={
                "verbose_name": "use",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "node", "from_tick"],
                        name="use_of_agent",
                    ),
                    models.Index(
                        fields=["simulation_id", "to_tick", "from_tick"], name="use_valid"
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="use_copies",
                    ),
                ],
            },
        ),
    ]

"""The tables of the app `planning`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="PlanItemRow",
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
                ("number", models.IntegerField()),
                ("parent", models.IntegerField()),
                ("day", models.CharField(max_length=10)),
                ("level", models.CharField(max_length=10)),
                ("description", models.TextField()),
                ("place", models.CharField(max_length=300)),
                ("object", models.CharField(max_length=300)),
                ("object_state", models.TextField()),
                ("emoji", models.CharField(max_length=40)),
                ("asleep", models.BooleanField()),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField()),
                ("planned_tick", models.IntegerField()),
                ("valid_from_tick", models.IntegerField()),
                ("valid_to_tick", models.IntegerField(null=True)),
                ("kept_to_tick", models.IntegerField(null=True)),
                ("continues", models.IntegerField(default=0)),
                ("importance", models.IntegerField(default=0)),
                ("act", models.CharField(default="none", max_length=20)),
                ("other", models.CharField(db_collation="C", default="", max_length=120)),
                ("about", models.TextField(default="")),
                ("with_agents", models.JSONField(default=list)),
                ("free", models.BooleanField(default=False)),
                ("reused_from", models.CharField(db_collation="C", default="", max_length=160)),
            ],
            options={
                "verbose_name": "plan item",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "level", "from_tick"],
                        name="plan_item_of_agent",
                    ),
                    models.Index(
                        fields=["simulation_id", "agent", "day"], name="plan_item_of_day"
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="plan_item_copies",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number"), name="plan_item_number"
                    )
                ],
            },
        ),
    ]

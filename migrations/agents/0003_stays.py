"""Stays in town: whoever has left may come back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0002_object_states"),
    ]

    operations = [
        migrations.CreateModel(
            name="StayRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
            ],
            options={
                "verbose_name": "stay",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "from_tick"), name="stay_identity"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            "INSERT INTO agents_stayrow (simulation_id, agent, from_tick, to_tick) "
            "SELECT simulation_id, agent, joined_tick, left_tick FROM agents_agentrow",
            migrations.RunSQL.noop,
        ),
    ]

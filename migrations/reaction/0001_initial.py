"""The tables of the app `reaction`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="JudgedStateRow",
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
                ("object", models.CharField(db_collation="C", max_length=300)),
                ("state", models.TextField()),
                ("prevents", models.CharField(max_length=20)),
                ("ends_by_itself", models.BooleanField()),
                ("remedy", models.TextField(blank=True, default="")),
            ],
            options={
                "verbose_name": "judged state",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "object", "state"),
                        name="judged_state_identity",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WeighedRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("subject", models.TextField(db_collation="C")),
                ("tick", models.IntegerField()),
                ("choice", models.CharField(max_length=8)),
                ("decisive", models.BooleanField()),
                ("what", models.TextField(blank=True, default="")),
                ("event", models.CharField(db_collation="C", max_length=160)),
            ],
            options={
                "verbose_name": "weighed perception",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick"], name="weighed_of_agent"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "subject", "event"),
                        name="weighed_identity",
                    )
                ],
            },
        ),
    ]

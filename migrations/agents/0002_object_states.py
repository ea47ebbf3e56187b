"""Object states that users have set."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ObjectStateRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("object", models.CharField(db_collation="C", max_length=300)),
                ("state", models.TextField()),
                ("event", models.CharField(db_collation="C", max_length=160)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
            ],
            options={
                "verbose_name": "set object state",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="object_state_identity"
                    )
                ],
            },
        ),
    ]

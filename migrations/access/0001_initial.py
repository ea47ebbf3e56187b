"""Tokens, members, stored responses, counts of requests."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RequestCount",
            fields=[
                ("what", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("span", models.BigIntegerField()),
                ("count", models.IntegerField()),
            ],
            options={
                "verbose_name": "request count",
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sha256", models.CharField(editable=False, max_length=64, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("reads_only", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "API token",
                "indexes": [models.Index(fields=["user", "-created_at"], name="token_of_user")],
            },
        ),
        migrations.CreateModel(
            name="MembershipRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("collaborator", "collaborator"),
                            ("guest", "guest"),
                        ],
                        max_length=12,
                    ),
                ),
                ("given_by", models.CharField(max_length=150)),
                ("given_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "membership",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "user"), name="membership_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredResponse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(db_collation="C", max_length=200)),
                ("fingerprint", models.CharField(max_length=64)),
                ("request", models.CharField(max_length=300)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("headers", models.JSONField(default=dict)),
                ("body", models.BinaryField(default=bytes)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("seen_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "stored response",
                "indexes": [models.Index(fields=["created_at"], name="stored_response_age")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "key"), name="stored_response_identity"
                    )
                ],
            },
        ),
        # Counts of the last seconds: a crash may forget them, and nobody waits for a disk.
        migrations.RunSQL(
            "ALTER TABLE access_requestcount SET UNLOGGED",
            "ALTER TABLE access_requestcount SET LOGGED",
        ),
    ]

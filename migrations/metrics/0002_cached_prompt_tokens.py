"""The total of the tokens that servers had in their caches, counted from now on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("metrics", "0001_totals"),
    ]

    operations = [
        migrations.AddField(
            model_name="modelcalltotalrow",
            name="cached_prompt_tokens",
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
    ]

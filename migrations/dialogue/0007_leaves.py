from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dialogue", "0006_ends_of_agreements"),
    ]

    operations = [
        migrations.AddField(
            model_name="utterancerow",
            name="leaves",
            field=models.BooleanField(default=False),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("simulation", "0004_deleted_simulations")]

    operations = [
        migrations.AddField(
            model_name="simulationrow",
            name="numbers_taken",
            field=models.JSONField(default=dict),
        ),
    ]

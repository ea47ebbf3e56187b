"""The message queue in the database (pgmq), for installations that have no other broker."""

from django.db import migrations
from pgmq.install import get_embedded_install_sql


def install(apps, schema_editor):
    """Install the queue's tables and functions, unless somebody has (as an extension, say)."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT to_regnamespace('pgmq')")
        if cursor.fetchone()[0] is None:
            cursor.execute(get_embedded_install_sql())


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]

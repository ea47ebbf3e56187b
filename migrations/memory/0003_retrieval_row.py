"""Renames the rows of retrievals, with their table, index, constraints and sequence."""

from django.db import migrations, models

# Django does not rename constraints and sequences. Constraints are not dropped and added,
# which would build their indexes again.
RENAME_CONSTRAINT = "ALTER TABLE memory_retrievalrow RENAME CONSTRAINT {} TO {}"
RENAME_SEQUENCE = "ALTER SEQUENCE {} RENAME TO {}"
IDENTITY = ("recall_identity", "retrieval_identity")
PRIMARY_KEY = ("memory_recallrow_pkey", "memory_retrievalrow_pkey")
SEQUENCE = ("memory_recallrow_id_seq", "memory_retrievalrow_id_seq")


def _rename(statement, names):
    old, new = names
    return migrations.RunSQL(statement.format(old, new), statement.format(new, old))


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_origin_and_schedule")]
    operations = [
        migrations.RenameModel("RecallRow", "RetrievalRow"),
        migrations.RenameIndex(
            "retrievalrow", new_name="retrieval_valid", old_name="recall_valid"
        ),
        _rename(RENAME_CONSTRAINT, PRIMARY_KEY),
        _rename(RENAME_SEQUENCE, SEQUENCE),
        migrations.SeparateDatabaseAndState(
            database_operations=[_rename(RENAME_CONSTRAINT, IDENTITY)],
            state_operations=[
                migrations.RemoveConstraint("retrievalrow", IDENTITY[0]),
                migrations.AddConstraint(
                    "retrievalrow",
                    models.UniqueConstraint(
                        fields=["simulation_id", "agent", "number", "from_tick"],
                        name=IDENTITY[1],
                    ),
                ),
            ],
        ),
    ]

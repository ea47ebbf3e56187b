"""The log is append-only: a trigger refuses UPDATE, and DELETE but of a whole simulation."""

from django.db import migrations

_GUARD = """
CREATE FUNCTION eventlog_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE'
       AND current_setting('smallville.deleting', true) = OLD.simulation_id::text THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER eventlog_append_only BEFORE UPDATE OR DELETE ON eventlog_eventrow
    FOR EACH ROW EXECUTE FUNCTION eventlog_append_only();
"""

_UNGUARD = """
DROP TRIGGER eventlog_append_only ON eventlog_eventrow;
DROP FUNCTION eventlog_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("eventlog", "0001_initial")]
    operations = [migrations.RunSQL(_GUARD, _UNGUARD)]

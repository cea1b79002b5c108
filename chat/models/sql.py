"""What the tables need beyond Django's models: the exact text search, and the triggers."""

EXACT_SEARCH = """
CREATE TEXT SEARCH DICTIONARY plumbline_exact_dict (
    TEMPLATE = pg_catalog.simple, STOPWORDS = english
);
CREATE TEXT SEARCH CONFIGURATION plumbline_exact (COPY = pg_catalog.simple);
ALTER TEXT SEARCH CONFIGURATION plumbline_exact
    ALTER MAPPING REPLACE pg_catalog.simple WITH plumbline_exact_dict;
"""

NO_EXACT_SEARCH = """
DROP TEXT SEARCH CONFIGURATION plumbline_exact;
DROP TEXT SEARCH DICTIONARY plumbline_exact_dict;
"""

APPEND_ONLY = """
CREATE FUNCTION plumbline_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER decision_record_rows BEFORE UPDATE OR DELETE ON chat_decisionrecord
    FOR EACH ROW EXECUTE FUNCTION plumbline_refuse();
CREATE TRIGGER decision_record_table BEFORE TRUNCATE ON chat_decisionrecord
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_refuse();
"""

NOT_APPEND_ONLY = """
DROP TRIGGER decision_record_rows ON chat_decisionrecord;
DROP TRIGGER decision_record_table ON chat_decisionrecord;
DROP FUNCTION plumbline_refuse();
"""

# What stands behind the records' rules: each function is one rule, and says it when it refuses.
# A record may go only where an anchor stands in its place, and an anchor only where it fits.
RECORD_FUNCTIONS = """
CREATE OR REPLACE FUNCTION plumbline_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('plumbline.purge', true) = 'on' AND pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION plumbline_never() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION plumbline_is_held(wanted uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT 1 FROM chat_legalhold WHERE conversation_id = wanted AND lifted_at IS NULL
    )
$$;

CREATE FUNCTION plumbline_record_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM chat_chainhead WHERE conversation_id = NEW.conversation_id
            AND count = NEW.number - 1 AND digest = NEW.previous_digest
    ) THEN
        RAISE EXCEPTION 'record % does not follow the last one of its chain', NEW.number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION plumbline_record_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM chat_purgeanchor WHERE conversation_id = OLD.conversation_id
            AND OLD.number BETWEEN first AND last
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION plumbline_content_goes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE of_record chat_decisionrecord;
BEGIN
    SELECT * INTO of_record FROM chat_decisionrecord WHERE id = OLD.record_id;
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1 FROM chat_purgeanchor WHERE conversation_id = of_record.conversation_id
            AND of_record.number BETWEEN first AND last
    ) THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.id = OLD.id AND NEW.record_id = OLD.record_id
        AND NEW.content IS NULL AND NEW.salt = '' AND NEW.erased_at IS NOT NULL
        AND NOT plumbline_is_held(of_record.conversation_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% may be erased and not changed: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION plumbline_head_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' AND NEW.count = 0 AND NEW.digest = '' THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.conversation_id = OLD.conversation_id
        AND NEW.count = OLD.count + 1 AND EXISTS (
            SELECT 1 FROM chat_decisionrecord WHERE conversation_id = NEW.conversation_id
                AND number = NEW.count AND digest = NEW.digest
        )
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of a chain only goes on to its next record: % is refused', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION plumbline_anchor_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF plumbline_is_held(NEW.conversation_id) THEN
        RAISE EXCEPTION 'conversation % is held', NEW.conversation_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.last >= NEW.first AND NEW.first = 1 + COALESCE(
        (SELECT max(last) FROM chat_purgeanchor WHERE conversation_id = NEW.conversation_id), 0
    ) AND EXISTS (
        SELECT 1 FROM chat_decisionrecord WHERE conversation_id = NEW.conversation_id
            AND number = NEW.last AND digest = NEW.digest
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'an anchor must stand in place of the beginning of its chain'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION plumbline_hold_lifted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.lifted_at IS NULL AND NEW.lifted_at IS NOT NULL
        AND (NEW.id, NEW.conversation_id, NEW.reason, NEW.placed_by_id, NEW.placed_at)
        IS NOT DISTINCT FROM
        (OLD.id, OLD.conversation_id, OLD.reason, OLD.placed_by_id, OLD.placed_at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a hold may be lifted once and not changed: % is refused', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION plumbline_not_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Waits for an erasure that is under way, and then sees what it has done.
    PERFORM 1 FROM chat_conversation
        WHERE id = NEW.conversation_id AND erased_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'conversation % was erased', NEW.conversation_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION plumbline_purge_records(of_conversation uuid, upto integer, reason text)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    start integer := 1 + COALESCE(
        (SELECT max(last) FROM chat_purgeanchor WHERE conversation_id = of_conversation), 0
    );
    gone integer;
BEGIN
    INSERT INTO chat_purgeanchor (conversation_id, first, last, digest, purged_at, why, removed)
    SELECT of_conversation, start, upto, max(digest) FILTER (WHERE number = upto), now(), reason,
        jsonb_agg(jsonb_build_array(id, digest) ORDER BY number)
    FROM chat_decisionrecord
    WHERE conversation_id = of_conversation AND number BETWEEN start AND upto;
    DELETE FROM chat_recordcontent USING chat_decisionrecord AS record
    WHERE record_id = record.id AND record.conversation_id = of_conversation
        AND record.number BETWEEN start AND upto;
    DELETE FROM chat_decisionrecord
    WHERE conversation_id = of_conversation AND number BETWEEN start AND upto;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
REVOKE ALL ON FUNCTION plumbline_purge_records(uuid, integer, text) FROM PUBLIC;
"""

# Names in a rule mean the site's own tables, whatever temporary ones a session has made.
RECORD_FUNCTIONS_BOUND = """
DO $$
DECLARE rule regprocedure;
BEGIN
    FOR rule IN SELECT oid::regprocedure FROM pg_proc
        WHERE starts_with(proname, 'plumbline_')
            AND pronamespace = current_schema()::regnamespace
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', rule, current_schema());
    END LOOP;
END $$;
"""

RECORD_TRIGGERS = """
DROP TRIGGER decision_record_rows ON chat_decisionrecord;
DROP TRIGGER decision_record_table ON chat_decisionrecord;
CREATE TRIGGER decision_record_added BEFORE INSERT ON chat_decisionrecord
    FOR EACH ROW EXECUTE FUNCTION plumbline_record_added();
CREATE TRIGGER decision_record_changed BEFORE UPDATE ON chat_decisionrecord
    FOR EACH ROW EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER decision_record_gone BEFORE DELETE ON chat_decisionrecord
    FOR EACH ROW EXECUTE FUNCTION plumbline_record_gone();
CREATE TRIGGER decision_record_table BEFORE TRUNCATE ON chat_decisionrecord
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER record_content_rows BEFORE UPDATE OR DELETE ON chat_recordcontent
    FOR EACH ROW EXECUTE FUNCTION plumbline_content_goes();
CREATE TRIGGER record_content_table BEFORE TRUNCATE ON chat_recordcontent
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER chain_head_moves BEFORE INSERT OR UPDATE ON chat_chainhead
    FOR EACH ROW EXECUTE FUNCTION plumbline_head_moves();
CREATE TRIGGER chain_head_stays BEFORE DELETE ON chat_chainhead
    FOR EACH ROW EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER chain_head_table BEFORE TRUNCATE ON chat_chainhead
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER purge_anchor_added BEFORE INSERT ON chat_purgeanchor
    FOR EACH ROW EXECUTE FUNCTION plumbline_anchor_fits();
CREATE TRIGGER purge_anchor_rows BEFORE UPDATE OR DELETE ON chat_purgeanchor
    FOR EACH ROW EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER purge_anchor_table BEFORE TRUNCATE ON chat_purgeanchor
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER legal_hold_rows BEFORE UPDATE OR DELETE ON chat_legalhold
    FOR EACH ROW EXECUTE FUNCTION plumbline_hold_lifted();
CREATE TRIGGER legal_hold_table BEFORE TRUNCATE ON chat_legalhold
    FOR EACH STATEMENT EXECUTE FUNCTION plumbline_never();
CREATE TRIGGER message_not_erased BEFORE INSERT ON chat_message
    FOR EACH ROW EXECUTE FUNCTION plumbline_not_erased();
CREATE TRIGGER turn_not_erased BEFORE INSERT ON chat_turn
    FOR EACH ROW EXECUTE FUNCTION plumbline_not_erased();
"""

# What lists look for in a record, as words of an index: `<control> <outcome>`, `<control> missing`,
# `missed` (any control failed or left no decision), `rescued` (only a later pass let something in)
# and `first <section>`, what the first search put first.
# Joining an empty object unpacks the facts once, and not again with every look into them.
RECORD_SHOWS = """
CREATE FUNCTION plumbline_shows(record jsonb) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
DECLARE
    facts jsonb := record || '{}';
    section text := facts #>> '{passes,0,chunks,0,chunk}';
    shown text[] := array(
        SELECT DISTINCT left((c->>'control') || ' ' || (c->>'outcome'), 300)
        FROM jsonb_path_query(facts, '$.controls[*]') AS c
    );
BEGIN
    IF facts @? '$.missing[0]' THEN
        shown := shown || array(
            SELECT left((name #>> '{}') || ' missing', 300)
            FROM jsonb_path_query(facts, '$.missing[*]') AS name
        ) || 'missed'::text;
    ELSIF facts @? '$.controls[*] ? (@.outcome starts with "failed")' THEN
        shown := shown || 'missed'::text;
    END IF;
    IF facts @? '$.passes[*] ? (@.pass > 1).accepted[0]'
        AND NOT facts @? '$.passes[*] ? (@.pass == 1).accepted[0]'
    THEN
        shown := shown || 'rescued'::text;
    END IF;
    IF section IS NOT NULL THEN
        shown := shown || left('first ' || section, 300);
    END IF;
    RETURN shown;
END $$;
"""

NO_RECORD_SHOWS = "DROP FUNCTION plumbline_shows(jsonb);"

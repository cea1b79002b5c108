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

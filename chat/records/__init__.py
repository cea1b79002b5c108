"""What proves decision records: their canonical form, the walk over chains, anchors, the export.

Everything here reads. `chat.decision_log` writes.
"""

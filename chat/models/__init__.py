"""The tables: conversations and turns, what they wait for and work on, the corpus, the record."""

from chat.models.attachment import Attachment
from chat.models.conversation import Conversation, Feedback, Message, Turn, TurnEvent
from chat.models.corpus import Chunk, Document, DocumentVersion
from chat.models.decision import ChainHead, DecisionRecord, LegalHold, PurgeAnchor, RecordContent
from chat.models.desk import DirectoryEntry, Ticket
from chat.models.pause import Pause
from chat.models.routing import TrainedRouter
from chat.models.versions import Measurement, VersionSet

__all__ = [
    "Attachment",
    "ChainHead",
    "Chunk",
    "Conversation",
    "DecisionRecord",
    "DirectoryEntry",
    "Document",
    "DocumentVersion",
    "Feedback",
    "LegalHold",
    "Measurement",
    "Message",
    "Pause",
    "PurgeAnchor",
    "RecordContent",
    "Ticket",
    "TrainedRouter",
    "Turn",
    "TurnEvent",
    "VersionSet",
]

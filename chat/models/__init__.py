"""The tables: conversations and turns, the corpus, and the sealed record."""

from chat.models.conversation import Conversation, Message, Turn, TurnEvent
from chat.models.corpus import Chunk, Document, DocumentVersion
from chat.models.decision import ChainHead, DecisionRecord, RecordContent

__all__ = [
    "ChainHead",
    "Chunk",
    "Conversation",
    "DecisionRecord",
    "Document",
    "DocumentVersion",
    "Message",
    "RecordContent",
    "Turn",
    "TurnEvent",
]

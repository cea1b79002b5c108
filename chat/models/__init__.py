"""The tables: conversations and turns, the corpus, and the sealed record."""

from chat.models.conversation import Conversation, Feedback, Message, Turn, TurnEvent
from chat.models.corpus import Chunk, Document, DocumentVersion
from chat.models.decision import ChainHead, DecisionRecord, RecordContent

__all__ = [
    "ChainHead",
    "Chunk",
    "Conversation",
    "DecisionRecord",
    "Document",
    "DocumentVersion",
    "Feedback",
    "Message",
    "RecordContent",
    "Turn",
    "TurnEvent",
]

"""The tables: conversations and turns, what they wait for and work on, the corpus, the record,
what a turn heard, prompts and their trials, re-runs and the lab."""

from chat.models.attachment import Attachment
from chat.models.conversation import Conversation, Feedback, Message, Turn, TurnEvent
from chat.models.corpus import Chunk, Document, DocumentVersion
from chat.models.decision import ChainHead, DecisionRecord, LegalHold, PurgeAnchor, RecordContent
from chat.models.desk import DirectoryEntry, Ticket
from chat.models.lab import LabOutcome, LabQuestion, LabRun, Rerun, RerunBatch
from chat.models.pause import Pause
from chat.models.prompts import PromptTrial, PromptVersion
from chat.models.routing import TrainedRouter
from chat.models.tape import Tape
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
    "LabOutcome",
    "LabQuestion",
    "LabRun",
    "LegalHold",
    "Measurement",
    "Message",
    "Pause",
    "PromptTrial",
    "PromptVersion",
    "PurgeAnchor",
    "RecordContent",
    "Rerun",
    "RerunBatch",
    "Tape",
    "Ticket",
    "TrainedRouter",
    "Turn",
    "TurnEvent",
    "VersionSet",
]

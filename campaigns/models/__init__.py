"""One file an entity; everything is imported from here."""

from campaigns.models.board import (
    Board,
    BoardCell,
    BoardColumn,
    BoardRow,
    BoardState,
    BoardSubject,
)
from campaigns.models.campaign import AuditEntry, Campaign, CampaignRole, Role, Vocabulary
from campaigns.models.collection import (
    Collection,
    Qrels,
    QrelsState,
    Topic,
    TopicForm,
    TopicOrder,
    TopicText,
    Translation,
)
from campaigns.models.evaluation import Comparison, Effect, Evaluation, Recipe
from campaigns.models.fields import ALWAYS
from campaigns.models.job import OPEN_STATES, Job, JobKind, JobState, Queue
from campaigns.models.run import (
    GivenScores,
    Origin,
    Pair,
    Run,
    RunEvent,
    RunRole,
    RunState,
    RunType,
)
from campaigns.models.stored_file import FilePurpose, StoredFile
from campaigns.models.task import (
    Averaging,
    DepthRule,
    OrderBy,
    Original,
    Precision,
    Task,
    TaskKind,
)
from campaigns.models.team import Membership, System, Team
from campaigns.models.token import ApiToken, IdempotentAnswer, Scope
from campaigns.models.upload import Upload, UploadState
from campaigns.models.user import User, UserManager, normal_email

__all__ = [
    "ALWAYS",
    "OPEN_STATES",
    "ApiToken",
    "AuditEntry",
    "Averaging",
    "Board",
    "BoardCell",
    "BoardColumn",
    "BoardRow",
    "BoardState",
    "BoardSubject",
    "Campaign",
    "CampaignRole",
    "Collection",
    "Comparison",
    "DepthRule",
    "Effect",
    "Evaluation",
    "FilePurpose",
    "GivenScores",
    "IdempotentAnswer",
    "Job",
    "JobKind",
    "JobState",
    "Membership",
    "OrderBy",
    "Origin",
    "Original",
    "Pair",
    "Precision",
    "Qrels",
    "QrelsState",
    "Queue",
    "Recipe",
    "Role",
    "Run",
    "RunEvent",
    "RunRole",
    "RunState",
    "RunType",
    "Scope",
    "StoredFile",
    "System",
    "Task",
    "TaskKind",
    "Team",
    "Topic",
    "TopicForm",
    "TopicOrder",
    "TopicText",
    "Translation",
    "Upload",
    "UploadState",
    "User",
    "UserManager",
    "Vocabulary",
    "normal_email",
]

"""How good code and the judge together are at telling what a source carries from what none does.

Each draft goes the way of an answer: code first, then the judge for the claims that code left
open. A draft is called supported if all of its claims are, and not supported if one is not; where
nobody could say, it is called neither. People's labels say what it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from chat.adapters.offline.text import stems
from chat.contracts.ports import LanguageModel, ModelFault
from chat.contracts.tasks import CheckTask
from chat.contracts.verdicts import ClaimVerdict
from chat.evaluation.figures import Figure, macro_f1, resampled, share
from chat.evaluation.labelled import READERS, Labelled, unread
from chat.evaluation.metrics import auroc, mean_ranks
from chat.guardrails import bands, generation
from chat.judging import PRECISION_OF_SUPPORTED

AT_ONCE = 4  # calls to an endpoint at the same time


@runtime_checkable
class Scored(Protocol):
    """A judge that says how far it believes each claim, 0 to 1."""

    def support(self, task: CheckTask) -> tuple[float, ...]: ...


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one draft. `by_code` if no judge was needed; `failed` if it gave nothing."""

    row: Labelled
    supported: bool | None
    score: float
    by_code: bool
    failed: bool = False


async def evaluate_groundedness(
    name: str, folder: Path, judge: LanguageModel, *, limit: int | None = None, half: bool = False
) -> dict[str, Any]:
    """Figures of one set, by their names, with `n` and `failed` (drafts) beside them.

    `limit` takes the first rows alone; `half` those alone on which no rule was chosen. Raises
    OSError when a file is missing.
    """
    labelled = list(READERS[name](folder))
    labelled = (unread(labelled) if half else labelled)[:limit]
    found = await _all(labelled, judge)
    return {
        "n": len(found),
        "failed": sum(each.failed for each in found),
        "decided by code alone": share([each.by_code for each in found]),
        **_figures(found),
        **_of_the_set(name, found),
    }


async def _all(labelled: Sequence[Labelled], judge: LanguageModel) -> list[Found]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(row: Labelled) -> Found:
        async with gate:
            return await _one(row, judge)

    return list(await asyncio.gather(*(one(row) for row in labelled)))


async def _one(row: Labelled, judge: LanguageModel) -> Found:
    claims = generation.verify(row.draft, row.passages, row.question)
    counted = tuple(claim for claim in claims if not claim.exempt)  # as a band counts them
    left = bands.undecided(counted)
    task = CheckTask(
        question=row.question,
        draft=row.draft,
        claims=tuple(claim.text for claim in left),
        passages=row.passages,
    )
    if not left:
        supported = all(claim.supported for claim in counted) if counted else None
        return Found(row, supported, _score(counted, task, judge), by_code=True)
    try:
        said = (await judge.check(task)).value
    except ModelFault:
        return Found(row, None, _score(counted, task, judge), by_code=False, failed=True)
    every = (*(claim for claim in counted if claim.supported is not None), *said)
    return Found(row, _together(every), _score(every, task, judge), by_code=False)


def _together(claims: Sequence[ClaimVerdict]) -> bool | None:
    """One that is not supported decides; else one of which nobody could say."""
    if any(claim.supported is False for claim in claims):
        return False
    return None if any(claim.supported is None for claim in claims) else True


def _share(claims: Sequence[ClaimVerdict]) -> float:
    """The share that is supported; one of which nobody could say counts half."""
    worth = [0.5 if claim.supported is None else float(claim.supported) for claim in claims]
    return sum(worth) / len(worth) if worth else 0.5


def _score(claims: Sequence[ClaimVerdict], task: CheckTask, judge: object) -> float:
    """The mean over the claims, 0 to 1: 1 for a yes of code, and the judge's own weight else.

    What code denies is worth half of that: it ranks below, in the judge's order. A judge that
    gives no weights is taken at its word.
    """
    if not claims:
        return 0.5
    if not isinstance(judge, Scored):
        return _share(claims)
    asked = task.model_copy(update={"claims": tuple(claim.text for claim in claims)})
    pairs = zip(claims, judge.support(asked), strict=True)
    worth = (1.0 if c.by == "code" and c.supported else w / (1 + _is_denied(c)) for c, w in pairs)
    return sum(worth) / len(claims)


def _is_denied(claim: ClaimVerdict) -> bool:
    return claim.by == "code" and claim.supported is False


def _figures(found: Sequence[Found]) -> dict[str, Figure]:
    grounded = np.array([each.row.grounded for each in found], dtype=bool)
    yes = np.array([each.supported is True for each in found], dtype=bool)
    no = np.array([each.supported is False for each in found], dtype=bool)
    scores = np.array([each.score for each in found])
    shared = np.array([_overlap(each.row) for each in found])
    n = len(found)
    return {
        PRECISION_OF_SUPPORTED: share(grounded[yes]),
        "recall of supported": share(yes[grounded]),
        "precision of not supported": share(~grounded[no]),
        "recall of not supported": share(no[~grounded]),
        "F1 of not supported": _drawn(lambda at: _f1(no[at], ~grounded[at]), n),
        "F1 of supported": _drawn(lambda at: _f1(yes[at], grounded[at]), n),
        "balanced accuracy": _drawn(lambda at: _balanced(yes[at], grounded[at]), n),
        "accuracy": share(yes == grounded),
        "AUROC": _drawn(lambda at: auroc(grounded[at].tolist(), scores[at]), n),
        "AUROC of word overlap": _drawn(lambda at: auroc(grounded[at].tolist(), shared[at]), n),
    }


def _of_the_set(name: str, found: Sequence[Found]) -> dict[str, Figure]:
    """What only one set can tell, in its own measure."""
    if name == "attributionbench":
        return {"macro-F1 of subsets": _drawn(lambda at: _by_group(found, at), len(found))}
    if name == "faithdial_audit":
        partial = [each for each in found if "partial hallucination" in each.row.marked]
        return {"partial hallucinations caught": share([e.supported is False for e in partial])}
    if name == "mtrag_human_eval":
        return {
            "rank correlation with the rating": _drawn(lambda at: _ranked(found, at), len(found))
        }
    return {}


def _overlap(row: Labelled) -> float:
    """The share of the draft's words that any passage holds: what a judge has to beat."""
    held = frozenset[str]().union(*(stems(f"{p.title}\n{p.text}") for p in row.passages))
    said = stems(row.draft)
    return len(said & held) / len(said) if said else 1.0


def _drawn(figure: Callable[[Any], float], n: int) -> Figure:
    """Resampled; 0 of everything where it is not defined, as with one class alone."""
    try:
        return resampled(figure, n)
    except ValueError:
        return Figure(0.0, 0.0, 1.0, 0)


def _f1(said: Any, true: Any) -> float:
    both = int((said & true).sum())
    return 2 * both / max(1, int(said.sum()) + int(true.sum()))


def _balanced(said: Any, true: Any) -> float:
    if true.all() or not true.any():
        raise ValueError("both classes are needed")
    return float((said[true].mean() + (~said[~true]).mean()) / 2)


def _by_group(found: Sequence[Found], at: Any) -> float:
    drawn = [found[place] for place in at]
    parts = [
        [each for each in drawn if each.row.group == group]
        for group in sorted({each.row.group for each in drawn})
    ]
    return float(
        np.mean(
            [
                macro_f1(
                    [str(each.supported is True) for each in part],
                    [str(each.row.grounded) for each in part],
                )
                for part in parts
            ]
        )
    )


def _ranked(found: Sequence[Found], at: Any) -> float:
    """Spearman's correlation of the score with people's rating, ties sharing their mean rank."""
    scores = np.array([found[place].score for place in at])
    ratings = np.array([found[place].row.rating or 0.0 for place in at])
    if np.ptp(scores) == 0 or np.ptp(ratings) == 0:
        raise ValueError("nothing varies")
    return float(np.corrcoef(mean_ranks(scores), mean_ranks(ratings))[0, 1])

"""Many groups of documents on Ray.

    import handful.ray, ray

    fits = handful.ray.fit_many(ray.data.read_parquet("answers"), group="client", text="answer", id="key")
    fits.write_parquet("fits")                    # a row a client
    fits = ray.data.read_parquet("fits")
    handful.ray.topics(fits).write_parquet("topics")
    handful.ray.documents(fits).write_parquet("documents")
"""

from __future__ import annotations

from ._arrow import GroupFitter, flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from ._model import Model
    from ._settings import FitOptions

__all__ = ["documents", "fit_many", "topics"]


def fit_many(
    dataset: Any,
    *,
    group: str,
    text: str,
    id: str | None = None,
    model: Model | None = None,
    terms: int = 10,
    workers: int | None = None,
    cpus: int = 1,
    partitions: int | None = None,
    **settings: Unpack[FitOptions],
) -> Any:
    """Fits every group of a Ray dataset by itself. Each worker process opens the model once.

    Parameters
    ----------
    dataset
        A ``ray.data.Dataset`` with a row a document.
    group, text, id
        The columns with the groups' names, the texts and the documents' ids. A dataset has no order, so the
        documents of a group are taken in the order of their ids; without ids in that of their texts, and
        numbered. A row without a group (null or NaN) is an error.
    model
        The model to use. By default the built-in one.
    terms
        How many terms of each topic to keep.
    workers
        How many workers fit at a time. By default as many as Ray has cores for.
    cpus
        How many cores each worker has.
    partitions
        How many partitions the groups are put into, each of which a worker fits at a time. By default as many
        as Ray's ``default_hash_shuffle_parallelism``.
    settings
        The settings of :func:`handful.fit`: ``topics``, ``seed`` and so on, the same for each group.

    The result is a dataset with a row a group, with the numbers of :func:`handful.fit` on its documents
    alone, whatever the blocks and workers: ``group``, ``topics``, ``documents``, ``warnings``, and
    ``error`` where a group has no topics. Like any dataset it is computed when it is consumed, so write it,
    or call ``materialize``, before you take both :func:`topics` and :func:`documents` of it.
    """
    from ray.data import DataContext, TaskPoolStrategy

    fitter = GroupFitter(
        group=group, text=text, id=id, model=model, terms=terms, threads=cpus, settings=settings
    )
    fitter.expect_columns(list(dataset.columns() or []))
    used = dataset.select_columns(list(dict.fromkeys(name for name in (group, text, id) if name)))

    def fit_groups(table: Any) -> Any:
        return fitter(table)

    number = partitions or DataContext.get_current().default_hash_shuffle_parallelism
    # `map_groups` would call Python for each group by itself, which takes as long as half a fit.
    return used.repartition(number, keys=[group]).map_batches(
        fit_groups,
        batch_format="pyarrow",
        batch_size=None,
        num_cpus=cpus,
        compute=TaskPoolStrategy(size=workers),
    )


def topics(fits: Any) -> Any:
    """A dataset with a row a topic: group, topic, name, share, terms, probabilities."""
    return _flat(fits, "topics")


def documents(fits: Any) -> Any:
    """A dataset with a row a document: group, document, words, unknown_words, background, main_topic,
    proportions."""
    return _flat(fits, "documents")


def _flat(fits: Any, column: str) -> Any:
    return fits.map_batches(flat, fn_args=(column,), batch_format="pyarrow", batch_size=None)

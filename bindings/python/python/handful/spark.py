"""Many groups of documents on Spark.

    import handful.spark

    fits = handful.spark.fit_many(spark.read.parquet("answers"), group="client", text="answer", id="key")
    fits.write.parquet("fits")                    # a row a client
    fits = spark.read.parquet("fits")
    handful.spark.topics(fits).write.parquet("topics")
    handful.spark.documents(fits).write.parquet("documents")
"""

from __future__ import annotations

from ._arrow import GroupFitter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from ._model import Model
    from ._settings import FitOptions

__all__ = ["documents", "fit_many", "topics"]


def fit_many(
    frame: Any,
    *,
    group: str,
    text: str,
    id: str | None = None,
    model: Model | None = None,
    terms: int = 10,
    partitions: int | None = None,
    **settings: Unpack[FitOptions],
) -> Any:
    """Fits every group of a Spark DataFrame by itself. Each Python worker opens the model once, and works
    with ``spark.task.cpus`` threads.

    Parameters
    ----------
    frame
        A ``pyspark.sql.DataFrame`` with a row a document.
    group, text, id
        The columns with the groups' names, the texts and the documents' ids. A DataFrame has no order, so
        the documents of a group are taken in the order of their ids; without ids in that of their texts,
        and numbered. A row without a group (null or NaN) is an error.
    model
        The model to use. By default the built-in one.
    terms
        How many terms of each topic to keep.
    partitions
        How many partitions the groups are put into. By default ``spark.sql.shuffle.partitions``.
    settings
        The settings of :func:`handful.fit`: ``topics``, ``seed`` and so on, the same for each group.

    The result is a DataFrame with a row a group, with the numbers of :func:`handful.fit` on its documents
    alone, whatever the partitions: ``group``, ``topics``, ``documents``, ``warnings``, and ``error`` where
    a group has no topics. Like any DataFrame it is computed when an action needs it, so write it, or call
    ``persist``, before you take both :func:`topics` and :func:`documents` of it.
    """
    conf = frame.sparkSession.conf
    threads = int(conf.get("spark.task.cpus", "1"))
    fitter = GroupFitter(
        group=group, text=text, id=id, model=model, terms=terms, threads=threads, settings=settings
    )
    fitter.expect_columns(list(frame.columns))
    used = frame[list(dict.fromkeys(name for name in (group, text, id) if name))]

    # Spark looks at the arguments of what it is given, so it must be a function.
    def fit_groups(batches):  # type: ignore[no-untyped-def]
        return fitter.of_batches(batches)

    # Said outright, so that Spark does not join partitions that are small: fits take long for their size.
    number = int(conf.get("spark.sql.shuffle.partitions", "200")) if partitions is None else partitions
    # `groupBy` would call Python for each group by itself, which takes as long as half a fit.
    parts = used.repartition(number, group).sortWithinPartitions(group)
    return parts.mapInArrow(fit_groups, _schema(frame, group, id))


def _schema(frame: Any, group: str, id: str | None) -> Any:
    """The schema of the result. The groups and ids keep their types."""
    from pyspark.sql import types as t

    def records(*fields: tuple[str, Any]) -> Any:
        return t.ArrayType(t.StructType([t.StructField(*field) for field in fields]))

    whole, real, text = t.LongType(), t.FloatType(), t.StringType()
    topic = records(
        ("topic", whole),
        ("name", text),
        ("share", t.DoubleType()),
        ("terms", t.ArrayType(text)),
        ("probabilities", t.ArrayType(real)),
    )
    document = records(
        ("document", whole if id is None else frame.schema[id].dataType),
        ("words", whole),
        ("unknown_words", whole),
        ("background", real),
        ("main_topic", whole),
        ("proportions", t.ArrayType(real)),
    )
    columns = [
        ("group", frame.schema[group].dataType),
        ("topics", topic),
        ("documents", document),
        ("warnings", t.ArrayType(text)),
        ("error", text),
    ]
    return t.StructType([t.StructField(*column) for column in columns])


def topics(fits: Any) -> Any:
    """A DataFrame with a row a topic: group, topic, name, share, terms, probabilities."""
    return fits.selectExpr("group", "inline(topics)")


def documents(fits: Any) -> Any:
    """A DataFrame with a row a document: group, document, words, unknown_words, background, main_topic,
    proportions."""
    return fits.selectExpr("group", "inline(documents)")

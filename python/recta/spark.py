"""Models of Spark's tables: proved as on one machine, and with the same bytes however the rows are cut and spread.

    from recta.spark import fit, transform
    from recta.linear_model import LogisticRegression

    model = fit(df, LogisticRegression(C=1.0), features=["age", "city"], label="bought")
    transform(df, model).write.parquet("predictions")

Rows stay where they are: every round of a fit gathers sums over the partitions through ``DataFrame.mapInArrow``, which works over Spark Connect
too. The wheel of Recta must be installed on the executors, in the version of the driver. See docs/cluster.md.
"""

from typing import TYPE_CHECKING, Any

from recta._distributed.spark_tables import cross_validate, evaluate, fit, near, transform, verify

if TYPE_CHECKING:
    from recta._distributed.spark_stages import RectaEstimator, RectaModel

__all__ = ["RectaEstimator", "RectaModel", "cross_validate", "evaluate", "fit", "near", "transform", "verify"]


def __getattr__(name: str) -> Any:
    """The stages need pyspark.ml, which is not there with Spark Connect alone."""
    if name not in ("RectaEstimator", "RectaModel"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from recta._distributed import spark_stages

    return getattr(spark_stages, name)

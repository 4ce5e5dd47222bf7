"""Recta as stages of a pipeline of pyspark.ml."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark.ml.base import Estimator, Model

from . import spark_tables as spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class RectaEstimator(Estimator):
    """A stage that fits an estimator of Recta: ``Pipeline(stages=[indexer, RectaEstimator(Ridge(), label="y")])``.

    The arguments are those of :func:`recta.spark.fit`; ``output`` names the column of predictions.
    """

    __module__ = "recta.spark"

    def __init__(
        self,
        estimator: Any,
        *,
        features: Sequence[str] | None = None,
        label: str | Sequence[str] | None = None,
        weight: str | None = None,
        offset: str | None = None,
        order: str | None = None,
        missing: str | None = None,
        output: str = "prediction",
    ) -> None:
        super().__init__()
        self.estimator, self.output = estimator, output
        self.columns: dict[str, Any] = {
            "features": features,
            "label": label,
            "weight": weight,
            "offset": offset,
            "order": order,
            "missing": missing,
        }

    def _fit(self, dataset: DataFrame) -> RectaModel:
        return RectaModel(spark.fit(dataset, self.estimator, **self.columns), self.output)


class RectaModel(Model):
    """A fitted stage; ``model`` is the fitted estimator, with its certificate, and saves itself: ``stage.model.save("m.recta")``."""

    __module__ = "recta.spark"

    def __init__(self, model: Any, output: str = "prediction") -> None:
        super().__init__()
        self.model, self.output = model, output

    def _transform(self, dataset: DataFrame) -> DataFrame:
        return spark.transform(dataset, self.model, output=self.output)

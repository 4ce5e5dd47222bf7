"""Models of Dask's tables: proved as on one machine, and with the same bytes however the rows are cut and spread.

    from recta.dask import fit, transform
    from recta.linear_model import LogisticRegression

    model = fit(frame, LogisticRegression(C=1.0), label="y")   # frame: a dask.dataframe
    predictions = transform(frame, model)

Rows stay where they are: every round of a fit gathers sums over the partitions, by the scheduler that is there (a ``distributed.Client``, or
Dask's own threads). Partitions are read anew in every round unless they are persisted. See docs/cluster.md.
"""

from recta._distributed.dask_tables import cross_validate, evaluate, fit, near, transform, verify

__all__ = ["cross_validate", "evaluate", "fit", "near", "transform", "verify"]

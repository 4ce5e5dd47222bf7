"""Houses in several files, a cluster of two executors, and a model that does not depend on how the files are cut."""

import os
import sys

from pyspark.sql import SparkSession

import recta
from recta.linear_model import Ridge
from recta.spark import evaluate, fit, transform, verify

os.environ["PYSPARK_PYTHON"] = sys.executable
spark = (
    SparkSession.builder.master("local-cluster[2,1,768]")
    .config("spark.executor.memory", "700m")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .getOrCreate()
)

houses = recta.read("housing").to_pandas()
houses["id"] = range(len(houses))
spark.createDataFrame(houses).write.mode("overwrite").parquet("houses")
df = spark.read.parquet("houses")

model = fit(df, Ridge(alpha=1.0), label="price", order="id")
print(model.certificate_.sentence)
print("verified:", verify(df, model, order="id").verdict)

other = fit(df.repartition(5), Ridge(alpha=1.0), label="price", order="id")
print("the same coefficients, bit for bit, in five partitions:", model.coef_.tobytes() == other.coef_.tobytes())

print(f"R2 on these rows: {evaluate(df, model, label='price')['r2']:.4f}")
for row in transform(df, model).sort("id").select("price", "prediction").limit(3).collect():
    print(f"{row[0]:.1f} predicted as {row[1]:.3f}")
spark.stop()

"""Houses in several files, a cluster of two executors, and a model that does not depend on how the files are cut."""

import os
import sys

import recta
from pyspark.sql import SparkSession
from recta.linear_model import Ridge
from recta.spark import evaluate, fit, transform, verify

os.environ["PYSPARK_PYTHON"] = sys.executable
spark = (SparkSession.builder.master("local-cluster[2,1,768]").config("spark.executor.memory", "700m").config("spark.ui.enabled", "false")
         .config("spark.ui.showConsoleProgress", "false").getOrCreate())

houses = recta.read("housing").to_pandas()
houses["id"] = range(len(houses))
spark.createDataFrame(houses).write.mode("overwrite").parquet("houses")
df = spark.read.parquet("houses")

model = fit(df, Ridge(alpha=1.0), label="price", order="id")
print(model.certificate_.sentence)
print("verified:", verify(df, model, order="id").verdict)

other = fit(df.repartition(5), Ridge(alpha=1.0), label="price", order="id")
print("the same coefficients, bit for bit, in five partitions:", model.coef_.tobytes() == other.coef_.tobytes())

print("R2 on these rows: %.4f" % evaluate(df, model, label="price")["r2"])
for row in transform(df, model).sort("id").select("price", "prediction").limit(3).collect():
    print("%.1f predicted as %.3f" % tuple(row))
spark.stop()

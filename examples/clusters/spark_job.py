"""Translates a column of a table with Spark, one process per core.

    spark-submit spark_job.py --model /srv/packed --input texts.parquet --output translated.parquet --column text

The output is Parquet: all columns of the input, and the columns `translation`, `error` and `warnings`. Every row of the
input is in it once. A null stays null; a text that cannot be translated has a null and an error. docs/clusters.md
explains the settings.
"""

import argparse
import json
import pathlib
import sys
import tarfile
import tempfile

import pyarrow
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, StringType, StructField, StructType

HERE = pathlib.Path(__file__).resolve().parent
SHIPPED = "ventris-model"
ADDED = StructType(
    [
        StructField("translation", StringType()),
        StructField("error", StringType()),
        StructField("warnings", ArrayType(StringType())),
    ]
)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="on a file system that all machines share, unless it is shipped")
    parser.add_argument("--ship", action="store_true", help="send the model from this machine to the others")
    parser.add_argument("--input", required=True)
    parser.add_argument("--format", default="parquet", help="of the input: parquet, json, csv, text, ...")
    parser.add_argument("--output", required=True, help="a folder that does not exist")
    parser.add_argument("--column", default="text", help="the column that is translated (for text: value)")
    parser.add_argument("--settings", type=json.loads, default={}, help="as JSON: '{\"beam_size\": 2}'")
    parser.add_argument("--tasks", type=int, default=0, help="parts of the work; 0: four for each core")
    parser.add_argument("--batch", type=int, default=2000, help="rows that a process translates at a time")
    return parser.parse_args()


def ship(spark, model):
    """Sends a model to all machines."""
    packed = pathlib.Path(tempfile.mkdtemp()) / "model.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(model, arcname=".")
    spark.sparkContext.addArchive(f"{packed}#{SHIPPED}")


def translating(model, shipped, column, settings):
    """The function that each process runs over its batches of rows."""

    def translate(batches):
        import rows  # sent with the job, so that what it keeps is kept from task to task

        path = SparkFiles.get(SHIPPED) if shipped else model
        for batch in batches:
            translations, errors, warnings = rows.translate(batch.column(column).to_pylist(), path, settings)
            added = [
                pyarrow.array(translations, pyarrow.string()),
                pyarrow.array(errors, pyarrow.string()),
                pyarrow.array(warnings, pyarrow.list_(pyarrow.string())),
            ]
            names = batch.schema.names + ADDED.names
            yield pyarrow.RecordBatch.from_arrays(batch.columns + added, names=names)

    return translate


def main():
    options = arguments()
    spark = SparkSession.builder.appName("Ventris").getOrCreate()
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", options.batch)
    spark.sparkContext.addPyFile(str(HERE / "rows.py"))
    if options.ship:
        ship(spark, options.model)
    table = spark.read.format(options.format).load(options.input)
    taken = set(table.columns) & set(ADDED.names)
    if options.column not in table.columns or taken:
        problem = f"has the column {min(taken)}, which would be added" if taken else f"has no column {options.column}"
        sys.exit(f"spark_job.py: {options.input} {problem}; its columns are {', '.join(table.columns)}")
    tasks = options.tasks or 4 * spark.sparkContext.defaultParallelism
    settings = {"threads": 1, **options.settings}
    translate = translating(options.model, options.ship, options.column, settings)
    schema = StructType(table.schema.fields + ADDED.fields)
    table.repartition(tasks).mapInArrow(translate, schema).write.parquet(options.output)
    spark.stop()


if __name__ == "__main__":
    main()

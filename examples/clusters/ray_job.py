"""Translates a column of a table with Ray Data, one process per core.

    python ray_job.py --model /srv/packed --input texts.parquet --output translated --column text

Input and output are Parquet. The output has all columns of the input, and the columns `translation`, `error` and
`warnings`. Every row of the input is in it once. docs/clusters.md explains the settings.
"""

import argparse
import json
import pathlib

import pyarrow
import ray

HERE = pathlib.Path(__file__).resolve().parent


class Translate:
    """What each process does with its batches of rows."""

    def __init__(self, model, column, settings):
        self.model, self.column, self.settings = model, column, settings

    def __call__(self, batch):
        import rows  # sent with the job

        translations, errors, warnings = rows.translate(
            batch.column(self.column).to_pylist(), self.model, self.settings
        )
        return (
            batch.append_column("translation", pyarrow.array(translations, pyarrow.string()))
            .append_column("error", pyarrow.array(errors, pyarrow.string()))
            .append_column("warnings", pyarrow.array(warnings, pyarrow.list_(pyarrow.string())))
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="on a file system that all machines share")
    parser.add_argument("--input", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--column", default="text", help="the column that is translated")
    parser.add_argument("--settings", type=json.loads, default={}, help="as JSON: '{\"beam_size\": 2}'")
    parser.add_argument("--batch", type=int, default=2000, help="rows that a process translates at a time")
    options = parser.parse_args()
    ray.init(runtime_env={"py_modules": [str(HERE / "rows.py")]}, log_to_driver=False)
    cores = int(ray.cluster_resources()["CPU"])
    ray.data.read_parquet(options.input).repartition(target_num_rows_per_block=options.batch).map_batches(
        Translate,
        fn_constructor_args=(options.model, options.column, {"threads": 1, **options.settings}),
        batch_size=options.batch,
        batch_format="pyarrow",
        num_cpus=1,
        concurrency=(1, cores),
    ).write_parquet(options.output)


if __name__ == "__main__":
    main()

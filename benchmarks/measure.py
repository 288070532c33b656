"""Functions for all benchmarks: run a program on given cores and measure it; print medians."""
import dataclasses
import os
import statistics
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Run:
    """What was measured of a finished program."""

    seconds: float      # wall clock, from start to end
    cpu_seconds: float  # user and system
    peak_mib: float     # largest resident set
    out: str            # standard output


def run(command, cores, environment=None):
    """Runs a command on `cores` ("0", "0,1"). If it fails, raises RuntimeError with the end of its error output."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        started = time.perf_counter()
        process = subprocess.Popen(["taskset", "-c", cores, *map(str, command)], stdout=out, stderr=err,
                                   env=os.environ | (environment or {}))
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{err.read()[-2000:]}")
        return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read())


def export_packed(programs, bundle, precision, folder):
    """Writes the packed model of a bundle into a new folder, and returns the folder."""
    run([programs / "ventris-export", "--quiet", "-m", bundle, "--format", "packed", "--precision", precision, "-o",
         folder], core_list(1))
    return folder


def beyond_start(whole, start, advice="give a longer text"):
    """The seconds of a run without those of its start. Ends the program if they are too few to be measured."""
    least = start / 5
    if whole - start >= least:
        return whole - start
    raise SystemExit(f"the text takes {whole:.2f} s, and the start of the program alone {start:.2f} s: expected at "
                     f"least {start + least:.2f} s; {advice}")


def core_list(count):
    """The first `count` cores that this process may use."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < count:
        raise SystemExit(f"{count} cores are needed, but this process may use only {len(allowed)}")
    return ",".join(map(str, allowed[:count]))


def spread(values, digits=0):
    """The text "median (min to max)"."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def processor():
    """The name of the processor and its vector extensions."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        fields = dict(line.split(":", 1) for line in file.read().split("\n\n")[0].splitlines() if ":" in line)
    fields = {key.strip(): value.strip() for key, value in fields.items()}
    flags = fields.get("flags", "").split()
    known = [name for name in ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile") if name in flags]
    return f"{fields.get('model name', 'unknown processor')} ({', '.join(known) or 'no vector extensions listed'})"

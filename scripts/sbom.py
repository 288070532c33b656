#!/usr/bin/env python3
"""Writes a list of the libraries of programs as a software bill of materials (CycloneDX 1.5, JSON).

Usage: sbom.py --version VERSION --output FILE PROGRAM...

It has each shared library that the loader finds for the programs, and the libraries whose headers are compiled into them,
with the package of Debian, its version, and the SHA-256 of the library's file. LibTorch is in it without a file, because
packages do not contain it.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys

COMPILED_IN = ["nlohmann-json3-dev", "libcli11-dev", "libgloo-dev", "libspdlog-dev", "libfmt-dev"]


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def libraries_of(program):
    """The paths of the shared libraries of a program, as the loader finds them."""
    return {path for path in re.findall(r"=> (/\S+)", output_of("ldd", str(program)))}


def names_of(path):
    """The names under which a package may have a file: /lib is a link to /usr/lib."""
    real = str(pathlib.Path(path).resolve())
    return {path, real, path.removeprefix("/usr"), real.removeprefix("/usr")}


def packages_of(paths):
    """The package of Debian that has each file, by path; files of none are left out."""
    names = sorted(set().union(*map(names_of, paths)))
    owners = {}
    for line in output_of("dpkg-query", "-S", *names).splitlines():
        package, _, name = line.partition(": ")
        owners[name] = package.split(":")[0]
    return {path: owners[name] for path in paths for name in names_of(path) if name in owners}


def component_of_package(package):
    """Name, version and purl of an installed package of Debian; none if it is not installed."""
    found = output_of("dpkg-query", "-W", "-f", "${Package}|${Version}|${Architecture}|${Source}\n", package).split("\n")[0]
    if not found:
        return None
    name, version, architecture, source = found.split("|")
    component = {"type": "library", "bom-ref": f"deb:{name}", "name": name, "version": version,
                 "purl": f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}&distro=debian-12"}
    if source:
        component["properties"] = [{"name": "debian:source", "value": source}]
    return component


def torch_component(path):
    """LibTorch, from the version file beside its libraries."""
    version = (pathlib.Path(path).parents[1] / "version.py")
    found = re.search(r"__version__ = '([^']+)'", version.read_text()) if version.exists() else None
    component = {"type": "library", "bom-ref": "pypi:torch", "name": "torch",
                 "description": "LibTorch; found when a program starts, and not in any package"}
    if found:
        component["version"] = found[1]
        component["purl"] = f"pkg:pypi/torch@{found[1].split('+')[0]}"
    return component


def components_of(programs):
    """All components by their reference, and the references that have no package."""
    components, unknown = {}, []
    paths = sorted(set().union(*(libraries_of(program) for program in programs)))
    packages = packages_of(paths)
    for path in paths:
        if "/torch/lib/" in path:
            components["pypi:torch"] = torch_component(path)
            continue
        component = component_of_package(packages[path]) if path in packages else None
        if component is None:
            unknown.append(path)
            component = {"type": "library", "bom-ref": f"file:{path}", "name": pathlib.Path(path).name}
        digest = {"alg": "SHA-256", "content": hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()}
        known = components.setdefault(component["bom-ref"], component)
        known.setdefault("hashes", []).append(digest)
    for package in COMPILED_IN:
        component = component_of_package(package)
        if component is not None:
            components.setdefault(component["bom-ref"], {**component, "description": "headers, compiled in"})
    return components, unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    given = parser.parse_args()
    components, unknown = components_of(given.programs)
    for path in unknown:
        print(f"sbom.py: {path} is in no package of Debian, so its version is not known", file=sys.stderr)
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
           "metadata": {"component": {"type": "application", "bom-ref": "ventris", "name": "ventris",
                                      "version": given.version}},
           "components": [components[reference] for reference in sorted(components)],
           "dependencies": [{"ref": "ventris", "dependsOn": sorted(components)}]}
    pathlib.Path(given.output).write_text(json.dumps(bom, indent=1) + "\n")


if __name__ == "__main__":
    main()

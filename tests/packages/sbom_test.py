"""The list of libraries that scripts/sbom.py writes of a program.

Usage: sbom_test.py ROOT PROGRAM
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest


@unittest.skipUnless(shutil.which("dpkg-query") and shutil.which("ldd"), "the versions are those of packages of Debian")
class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "sbom.json"
            subprocess.run([sys.executable, ROOT / "scripts/sbom.py", "--version", "1.2.3", "--output", file, PROGRAM],
                           check=True)
            cls.bom = json.loads(file.read_text())
        cls.components = cls.bom["components"]

    def test_it_is_cyclonedx_of_this_version(self):
        self.assertEqual((self.bom["bomFormat"], self.bom["specVersion"]), ("CycloneDX", "1.5"))
        self.assertEqual(self.bom["metadata"]["component"]["version"], "1.2.3")
        references = [component["bom-ref"] for component in self.components]
        self.assertEqual(references, sorted(set(references)))
        self.assertEqual(self.bom["dependencies"], [{"ref": "ventris", "dependsOn": references}])

    def test_each_library_of_the_loader_is_there_with_its_hash(self):
        hashes = {known["content"] for component in self.components for known in component.get("hashes", [])}
        loaded = re.findall(r"=> (/\S+)", subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout)
        self.assertGreater(len(loaded), 5)
        for path in loaded:
            self.assertIn(hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest(), hashes, path)

    def test_packages_have_the_versions_that_are_installed(self):
        by_name = {component["name"]: component for component in self.components}
        for name in ("libsentencepiece0", "libicu72", "zlib1g", "nlohmann-json3-dev", "libcli11-dev"):
            found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
            if found.returncode == 0:
                self.assertEqual(by_name[name]["version"], found.stdout)
                self.assertTrue(by_name[name]["purl"].startswith(f"pkg:deb/debian/{name}@"))


if __name__ == "__main__":
    ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1])

#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ventris::test {

/// Makes a folder that looks like a LibTorch with these libraries, which are empty files, and returns its path. It
/// states its version as an unpacked archive does, or as the Python package does.
inline std::string fake_libtorch(const std::string& root, const std::string& version,
                                 const std::vector<std::string>& libraries, bool python_package = false) {
  std::filesystem::create_directories(root + "/lib");
  for (const std::string& name : libraries) std::ofstream(root + "/lib/" + name) << "";
  if (python_package) {
    std::ofstream(root + "/version.py") << "__all__ = ['__version__']\n__version__ = '" << version << "'\n";
  } else {
    std::ofstream(root + "/build-version") << version << '\n';
  }
  return root;
}

/// Writes a program called python3 into `folder` that knows a package in `place`, whatever it is asked.
inline void fake_python(const std::string& folder, const std::string& place) {
  namespace fs = std::filesystem;
  const std::string file = folder + "/python3";
  std::ofstream(file) << "#!/bin/sh\nprintf %s '" << place << "'\n";
  fs::permissions(file, fs::perms::owner_all);
}

}  // namespace ventris::test

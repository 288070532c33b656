#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/temp_folder.h"

/// TorchScript files, loaded in the Python whose LibTorch we are built with (VENTRIS_PYTHON).
namespace ventris::test {

/// Whether there is such a Python.
inline bool has_python_of_torch() { return std::filesystem::exists(VENTRIS_PYTHON); }
inline constexpr const char* kNoPython =
    "LibTorch did not come as a Python package, so there is no Python to load exports with";

/// Each of the files computes the same as a network of torch.nn parts with its weights (parity/check_torchscript.py).
inline void expect_python_agrees(const std::vector<std::string>& exports) {
  const TempFolder folder;
  std::string command = VENTRIS_PYTHON " " VENTRIS_SOURCE "/tests/parity/check_torchscript.py";
  for (const std::string& path : exports) command += " '" + path + "'";
  const int status = std::system((command + " > " + folder.path("out") + " 2>&1").c_str());
  const std::string said = file_bytes(folder.path("out"));
  EXPECT_EQ(status, 0) << said;
  for (const std::string& path : exports) {
    const size_t begin = said.find(path + ": ");
    ASSERT_NE(begin, std::string::npos) << path << "\n" << said;
    EXPECT_NE(said.substr(begin, said.find('\n', begin) - begin).find("agree with PyTorch"), std::string::npos) << said;
  }
}

}  // namespace ventris::test

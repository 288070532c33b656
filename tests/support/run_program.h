#pragma once
#include <string>
#include <vector>

namespace ventris::test {

/// What a program left behind.
struct Outcome {
  int code = -1;  ///< exit code; 128 + signal if it was killed
  std::string out;
  std::string err;
};

/// Runs one of our programs ("ventris-evaluate") with these arguments and this standard input, and waits for it.
Outcome run_program(const std::string& name, const std::vector<std::string>& arguments, const std::string& input = "");

/// The path of a program built beside the tests.
std::string program_path(const std::string& name);

}  // namespace ventris::test

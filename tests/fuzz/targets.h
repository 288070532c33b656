#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/temp_folder.h"

/// Fuzz targets: functions that give any bytes to a reader. libFuzzer looks for bytes that break its promises
/// (scripts/fuzz.sh), and the ordinary tests give it all seeds and every input that ever failed (seeds_test.cpp).
namespace ventris::fuzz {

/// A reader, and what it is tried with.
struct Target {
  std::string name;                     ///< of its folders in tests/fuzz/seeds and tests/fuzz/failed
  void (*run)(std::string_view input);  ///< may throw core::Error, which is what readers promise for bad input
  std::vector<std::string> (*seeds)();  ///< those that the code makes, besides the files in its folder; null = none
};

/// The targets of all files that are linked.
std::vector<Target>& targets();

/// A target adds itself: const Registration kTarget("zip", read_zip);
struct Registration {
  Registration(const char* name, void (*run)(std::string_view input), std::vector<std::string> (*seeds)() = nullptr) {
    targets().push_back({name, run, seeds});
  }
};

/// Runs a target. core::Error is as it should be, and any other exception leaves. Returns whether the input was
/// accepted.
bool accepts(const Target& target, std::string_view input);

/// Throws std::logic_error, which is a failure, unless the promise holds.
void require(bool holds, const std::string& promise);

/// The first line without its line feed, and what is behind it.
std::pair<std::string_view, std::string_view> first_line_of(std::string_view input);

/// What is before and behind the first line "====".
std::pair<std::string_view, std::string_view> halves_of(std::string_view input);

/// The folder for the files of all targets, in memory where the system has that.
const test::TempFolder& folder();

/// Writes the input into a file of that folder, and returns its path.
std::string file_with(std::string_view input, const std::string& name = "input");

}  // namespace ventris::fuzz

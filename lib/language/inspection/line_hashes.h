#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Lines as 64-bit hashes. Two of ten million different lines have the same hash with a probability of 1 in 400,000.
namespace ventris::inspection {

/// The hash of a text's bytes; the same on every machine.
uint64_t hash_of(std::string_view text);

/// The hash of a pair; the order matters.
uint64_t hash_of(uint64_t source, uint64_t target);

/// Counts repeated lines. Memory: 8 bytes per line.
class Repetitions {
 public:
  void add(uint64_t hash) { hashes_.push_back(hash); }

  /// The number of lines that occurred before: all lines minus the different ones. No more lines can be added after it.
  int64_t count();

 private:
  std::vector<uint64_t> hashes_;
};

/// Finds the lines of a text (a test set) that occur in another text (a training corpus).
class Occurrences {
 public:
  /// Adds a line of the first text.
  void add(uint64_t hash) { found_.emplace(hash, Line{}).first->second.times += 1; }

  /// Looks up a line of the second text; true if the first text has it.
  bool look_up(uint64_t hash);

  int64_t lines() const;  ///< lines of the first text
  int64_t found() const;  ///< lines of the first text that occur in the second

 private:
  struct Line {
    int64_t times = 0;
    bool found = false;
  };
  std::unordered_map<uint64_t, Line> found_;
};

}  // namespace ventris::inspection

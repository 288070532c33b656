#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Lines by 64-bit hashes: of ten million different lines two have the same one with a chance of 1 in 400,000.
namespace ventris::inspection {

/// Of the text's bytes; the same on every machine.
uint64_t hash_of(std::string_view text);

/// Of a pair: the order counts.
uint64_t hash_of(uint64_t source, uint64_t target);

/// Lines that occur again. 8 bytes a line.
class Repetitions {
 public:
  void add(uint64_t hash) { hashes_.push_back(hash); }

  /// Lines that stood there before: all lines less the different ones. Sorts; no more lines can be added.
  int64_t count();

 private:
  std::vector<uint64_t> hashes_;
};

/// Which lines of a text (a test set) occur in another (a training corpus).
class Occurrences {
 public:
  /// A line of the first text.
  void add(uint64_t hash) { found_.emplace(hash, Line{}).first->second.times += 1; }

  /// A line of the second text; true if the first has it.
  bool look_up(uint64_t hash);

  int64_t lines() const;  ///< of the first text
  int64_t found() const;  ///< lines of the first text that the second has

 private:
  struct Line {
    int64_t times = 0;
    bool found = false;
  };
  std::unordered_map<uint64_t, Line> found_;
};

}  // namespace ventris::inspection

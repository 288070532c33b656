#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/line_reader.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Sentence pairs as ids, in two flat arrays: 4 bytes a token and 8 a sentence a side. At most 2^32 - 1 pairs.
class ParallelCorpus {
 public:
  void add(std::span<const int32_t> source, std::span<const int32_t> target);
  size_t size() const { return source_ends_.size(); }
  std::span<const int32_t> source(size_t pair) const;  ///< without eos
  std::span<const int32_t> target(size_t pair) const;  ///< without bos and eos
  int64_t source_tokens() const { return static_cast<int64_t>(source_ids_.size()); }
  int64_t target_tokens() const { return static_cast<int64_t>(target_ids_.size()); }

  /// crc32 of all ids and lengths: tells one corpus from another.
  uint32_t checksum() const;

  /// Gives back the room kept for further pairs, up to half of the memory.
  void compact();
  size_t memory_bytes() const;

 private:
  std::vector<int32_t> source_ids_, target_ids_;
  std::vector<uint64_t> source_ends_, target_ends_;
};

/// Which pairs are left out.
struct CorpusFilter {
  int64_t max_length = 256;  ///< tokens a side, eos not counted
  double max_ratio = 9.0;    ///< longer side / shorter side, in tokens; only for pairs with a side over 10 tokens
};

/// What became of the pairs.
struct CorpusCounts {
  int64_t lines = 0;
  int64_t kept = 0;
  int64_t empty = 0;         ///< a side without a token
  int64_t too_long = 0;      ///< a side over CorpusFilter's max_length, or a line over 1 MiB, which is not tokenised
  int64_t bad_ratio = 0;
  int64_t invalid_utf8 = 0;  ///< replaced bytes on either side; among the kept and the others
};

/// Where a corpus lies: two files of equal line count, or one with two TAB-separated columns (`target` empty).
/// Each may end in .gz.
struct CorpusFiles {
  std::string source;
  std::string target;
};

/// Throws DataError naming both files and counts if their line counts differ, or if a file is unreadable, empty or a
/// pipe (a corpus is read more than once). Takes a fraction of a second a million lines: for before anything slow.
void check_files(const CorpusFiles& files);

/// Reads, tokenises (on `threads` threads, same result for any number) and filters. Throws DataError as check_files
/// does and if nothing is left, Interrupted when a stop signal arrives (core/process.h).
ParallelCorpus load_corpus(const CorpusFiles& files, const text::Tokenizer& source, const text::Tokenizer& target,
                           const CorpusFilter& filter, int threads, CorpusCounts& counts);

/// One sentence for people: "29000 lines, 28990 kept, 3 empty, ...".
std::string describe(const CorpusCounts& counts);

}  // namespace ventris::data

#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ventris::data {

/// Tokens a side, without bos and eos.
struct PairLengths {
  uint32_t source = 0;
  uint32_t target = 0;
};

/// A sentence pair as it is stored.
struct SentencePair {
  std::vector<int32_t> source;           ///< ids without eos, those of the corpus's tag first
  std::vector<int32_t> target;           ///< ids without bos and eos
  std::string source_text, target_text;  ///< what the ids were made of, without the tag; empty unless text is kept
  float weight = 1;                      ///< what the pair's loss is multiplied by, at least 0
};

/// One of the corpora that a store holds, one behind the other.
struct CorpusPart {
  uint64_t pairs = 0;
  uint32_t tag_tokens = 0;  ///< ids of the tag, at the beginning of each source; 0 = no tag
};

/// Pairs are numbered in 32 bits.
constexpr uint64_t kMostPairs = UINT32_MAX;

/// What a store holds, put together pair by pair.
class StoreSummary {
 public:
  /// The pairs added from now on are those of another corpus.
  void begin_part(uint32_t tag_tokens) { parts.push_back({0, tag_tokens}); }
  /// Throws DataError for one more than kMostPairs.
  void add(const SentencePair& pair);

  uint64_t pairs() const;

  /// crc32 of all ids, lengths, and, where there are any, weights and texts: tells one store from another, however it
  /// keeps its pairs.
  uint32_t checksum() const;

  std::vector<CorpusPart> parts;
  int64_t source_tokens = 0, target_tokens = 0;
  uint32_t longest = 0;   ///< tokens of the longest side
  bool weighted = false;  ///< some weight is not 1
  bool has_text = false;
  uint32_t source_crc = 0, target_crc = 0, source_ends_crc = 0, target_ends_crc = 0, weights_crc = 0, text_crc = 0;
};

/// Sentence pairs as ids, numbered from 0, at most kMostPairs: in memory (ParallelCorpus) or in a file (CacheFile).
/// Safe to read from several threads.
class PairStore {
 public:
  virtual ~PairStore() = default;

  virtual const StoreSummary& summary() const = 0;

  /// Lengths of these pairs (ascending, repetitions allowed). `lengths` has the size of `pairs`. Throws DataError if
  /// they cannot be read.
  virtual void lengths(std::span<const uint32_t> pairs, std::span<PairLengths> lengths) const = 0;

  /// Throws std::out_of_range for a number that is not under size(), DataError if the pair cannot be read.
  virtual SentencePair pair(size_t number) const = 0;

  size_t size() const { return static_cast<size_t>(summary().pairs()); }
};

}  // namespace ventris::data

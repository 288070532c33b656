#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/word_links.h"

namespace ventris::data {

/// Tokens per side, without bos and eos.
struct PairLengths {
  uint32_t source = 0;
  uint32_t target = 0;
  uint32_t preceding = 0;  ///< as SentencePair::preceding
};

constexpr float kMostWeight = 1e6F;  ///< of SentencePair::weight

/// A sentence pair as it is stored, or a passage of running text (data/documents.h).
struct SentencePair {
  std::vector<int32_t> source;           ///< ids without eos, including the corpus's tag
  std::vector<int32_t> target;           ///< ids without bos and eos; of a passage, the end of each of its sentences
  std::string source_text, target_text;  ///< the text of the ids, without the tag; empty unless text is kept
  float weight = 1;                      ///< line weight, which multiplies the pair's loss; at least 0
  text::Links links = {};                ///< between the words of both texts; empty unless the run needs links
  uint32_t preceding = 0;  ///< pairs of its document right before it in the store; 0 unless documents are counted
  uint32_t source_context = 0;  ///< ids of the sentences before it (data/pair_context.h), in `source` behind the tag
  uint32_t target_context = 0;  ///< the same at the beginning of `target`
};

/// One of the corpora of a store, which are stored one after the other.
struct CorpusPart {
  uint64_t pairs = 0;
  uint32_t tag_tokens = 0;  ///< ids of the tag, at the beginning of each source; 0 = no tag
};

/// Where in a store a pair is.
struct PairPlace {
  size_t corpus = 0;        ///< its number, from 0
  uint32_t tag_tokens = 0;  ///< of its corpus
  uint64_t corpus_end = 0;  ///< number of the first pair after its corpus
};

/// The maximum number of pairs; their numbers have 32 bits.
constexpr uint64_t kMostPairs = UINT32_MAX;

/// Summary of the content of a store, updated pair by pair.
class StoreSummary {
 public:
  /// Starts another corpus: pairs that are added from now on belong to it.
  void begin_part(uint32_t tag_tokens) { parts.push_back({0, tag_tokens}); }
  /// Throws DataError if there are already kMostPairs.
  void add(const SentencePair& pair);

  uint64_t pairs() const;

  /// Throws std::out_of_range unless `pair` < pairs().
  PairPlace place_of(uint64_t pair) const;

  /// The crc32 of all ids and lengths, and of weights, texts, links and documents if there are any. It identifies the
  /// content of a store, no matter how the store keeps its pairs.
  uint32_t checksum() const;

  std::vector<CorpusPart> parts;
  int64_t source_tokens = 0, target_tokens = 0;
  uint32_t longest = 0;  ///< tokens of the longest side
  bool weighted = false;  ///< some weight is not 1
  bool has_text = false;
  int64_t links = 0;  ///< of all pairs
  int64_t preceding = 0;  ///< sum of SentencePair::preceding
  uint32_t source_crc = 0, target_crc = 0, source_ends_crc = 0, target_ends_crc = 0, weights_crc = 0, text_crc = 0,
           links_crc = 0, preceding_crc = 0;
};

/// At most kMostPairs sentence pairs as ids, counted from 0, in memory (ParallelCorpus) or in a file (CacheFile).
/// Several threads may read at the same time.
class PairStore {
 public:
  virtual ~PairStore() = default;

  virtual const StoreSummary& summary() const = 0;

  /// The lengths of these pairs (ascending, may repeat). `lengths` must have the size of `pairs`. Throws DataError if
  /// they cannot be read.
  virtual void lengths(std::span<const uint32_t> pairs, std::span<PairLengths> lengths) const = 0;

  /// Throws std::out_of_range unless `number` < size(), and DataError if the pair cannot be read.
  virtual SentencePair pair(size_t number) const = 0;

  size_t size() const { return static_cast<size_t>(summary().pairs()); }
};

}  // namespace ventris::data

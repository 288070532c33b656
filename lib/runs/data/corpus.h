#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/corpus_reader.h"
#include "data/pair_store.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Sentence pairs in memory, in flat arrays: 4 bytes per token, 16 bytes per pair, 4 more per pair if there are
/// weights, 4 more if documents are counted, if text is kept, its bytes and 16 more per pair, and, if there are links,
/// 8 for each and 8 more per pair.
class ParallelCorpus : public PairStore {
 public:
  void begin_part(uint32_t tag_tokens) { summary_.begin_part(tag_tokens); }
  void add(const SentencePair& pair);
  void add(std::span<const int32_t> source, std::span<const int32_t> target);

  const StoreSummary& summary() const override { return summary_; }
  void lengths(std::span<const uint32_t> pairs, std::span<PairLengths> lengths) const override;
  SentencePair pair(size_t number) const override;

  std::span<const int32_t> source(size_t pair) const;  ///< as in SentencePair
  std::span<const int32_t> target(size_t pair) const;

  /// Frees the memory reserved for further pairs, which is up to half of all.
  void compact();
  size_t memory_bytes() const;

 private:
  StoreSummary summary_;
  std::vector<int32_t> source_ids_, target_ids_;
  std::vector<uint64_t> source_ends_, target_ends_;
  std::vector<float> weights_;       // empty while all are 1
  std::vector<uint32_t> preceding_;  // empty while all are 0
  std::string text_;                 // source, target, source, ...
  std::vector<uint64_t> text_ends_;  // empty while there is no text
  text::Links links_;
  std::vector<uint64_t> link_ends_;  // empty while there are no links
};

/// Reads corpora into memory, one after the other. `counts` gets the counts of each. Throws as read_corpus does.
ParallelCorpus load_corpora(std::span<const CorpusSpec> corpora, const text::Tokenizer& source,
                            const text::Tokenizer& target, const ReadOptions& options,
                            std::vector<CorpusCounts>& counts);

}  // namespace ventris::data

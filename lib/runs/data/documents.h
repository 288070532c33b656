#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "data/corpus_reader.h"

/// Running text of one language: a sentence per line; empty lines end documents. It is stored as passages, which are
/// examples like sentence pairs: cached, shuffled, mixed and batched by the same code.
namespace ventris::data {

/// Packs the sentences of documents into passages: neighbouring sentences of one document, as many as fit.
///   source: ids of the sentences, one after the other        target: the end of each sentence in `source`
class PassagePacker {
 public:
  using Each = std::function<void(SentencePair& passage)>;

  /// A passage has at most `max_length` tokens, at least 1. Calls each(passage) when a passage is complete.
  PassagePacker(int64_t max_length, Each each);

  /// The next sentence of the document, without eos. Cuts it into sentences of `max_length` tokens if it is longer.
  void add(std::span<const int32_t> sentence);

  /// The next sentence begins another document. Call it at the end of the text, too.
  void end_document();

 private:
  void append(std::span<const int32_t> sentence);

  size_t max_length_;
  Each each_;
  SentencePair passage_;
};

/// Calls each(passage) for every passage, in order, and returns the counts. Throws as read_corpus does, and DataError
/// if there is no passage.
CorpusCounts read_documents(const CorpusSpec& corpus, const text::Tokenizer& tokenizer, const ReadOptions& options,
                            const PassagePacker::Each& each);

}  // namespace ventris::data

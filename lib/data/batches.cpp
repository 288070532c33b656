#include "data/batches.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/random.h"

namespace ventris::data {
namespace {

/// Streams of the run's seed that this folder draws from.
enum Stream : uint64_t { kOrderOfPairs = 0, kOrderOfBatches = 1 };

/// Tokens of the longer side, with eos.
int64_t padded_length(const ParallelCorpus& corpus, size_t pair) {
  return 1 + static_cast<int64_t>(std::max(corpus.source(pair).size(), corpus.target(pair).size()));
}

/// Two of these, the finer key first, order millions of pairs in a fraction of the time of a sort by comparison.
void stable_sort_by(const std::vector<uint32_t>& lengths, std::vector<uint32_t>& order) {
  std::vector<size_t> starts(size_t{2} + *std::max_element(lengths.begin(), lengths.end()));
  for (const uint32_t length : lengths) ++starts[length + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<uint32_t> sorted(order.size());
  for (const uint32_t pair : order) sorted[starts[lengths[pair]]++] = pair;
  order.swap(sorted);
}

/// By target length, then source length; pairs alike in both stay in their order.
void sort_by_lengths(const ParallelCorpus& corpus, std::vector<uint32_t>& order) {
  std::vector<uint32_t> source(corpus.size()), target(corpus.size());
  for (size_t pair = 0; pair < corpus.size(); ++pair) {
    source[pair] = static_cast<uint32_t>(corpus.source(pair).size());
    target[pair] = static_cast<uint32_t>(corpus.target(pair).size());
  }
  stable_sort_by(source, order);
  stable_sort_by(target, order);
}

std::vector<std::vector<uint32_t>> cut(const ParallelCorpus& corpus, const std::vector<uint32_t>& order,
                                       const BatchOptions& options) {
  const int64_t most = options.max_sentences > 0 ? options.max_sentences : static_cast<int64_t>(order.size());
  std::vector<std::vector<uint32_t>> batches;
  int64_t sentences = 0, longest = 0;
  for (const uint32_t pair : order) {
    const int64_t length = padded_length(corpus, pair);
    longest = std::max(longest, length);
    if (batches.empty() || sentences == most || (sentences + 1) * longest > options.tokens) {
      batches.emplace_back();
      sentences = 0;
      longest = length;
    }
    batches.back().push_back(pair);
    ++sentences;
  }
  return batches;
}

}  // namespace

BatchPlan::BatchPlan(const ParallelCorpus& corpus, const BatchOptions& options) : corpus_(corpus), options_(options) {
  if (corpus.size() == 0) throw std::invalid_argument("BatchPlan: the corpus has no pairs");
  int64_t longest = 0;
  for (size_t pair = 0; pair < corpus.size(); ++pair) longest = std::max(longest, padded_length(corpus, pair));
  if (longest > options.tokens) {
    fail<ConfigError>("training.batch_tokens: a batch of ", options.tokens,
                      " tokens is smaller than one sentence: the longest has ", longest,
                      " with eos; raise it, or lower data.max_length");
  }
}

std::vector<std::vector<uint32_t>> BatchPlan::epoch(uint64_t number) const {
  const uint64_t seed = core::derive_seed(options_.seed, number);
  auto order = core::shuffled_indices(static_cast<uint32_t>(corpus_.size()), seed, kOrderOfPairs);
  sort_by_lengths(corpus_, order);
  auto batches = cut(corpus_, order, options_);
  std::vector<std::vector<uint32_t>> shuffled;
  shuffled.reserve(batches.size());
  for (const uint32_t i : core::shuffled_indices(static_cast<uint32_t>(batches.size()), seed, kOrderOfBatches)) {
    shuffled.push_back(std::move(batches[i]));
  }
  return shuffled;
}

Batch make_batch(const ParallelCorpus& corpus, const std::vector<uint32_t>& pairs, const text::SpecialIds& ids) {
  Batch batch;
  batch.sentences = static_cast<int64_t>(pairs.size());
  for (const uint32_t pair : pairs) {
    batch.src_len = std::max(batch.src_len, static_cast<int64_t>(corpus.source(pair).size()) + 1);
    batch.tgt_len = std::max(batch.tgt_len, static_cast<int64_t>(corpus.target(pair).size()) + 1);
    batch.source_tokens += static_cast<int64_t>(corpus.source(pair).size()) + 1;
    batch.target_tokens += static_cast<int64_t>(corpus.target(pair).size()) + 1;
  }
  batch.source.assign(static_cast<size_t>(batch.sentences * batch.src_len), ids.pad);
  batch.target_in.assign(static_cast<size_t>(batch.sentences * batch.tgt_len), ids.pad);
  batch.target_out = batch.target_in;
  for (size_t row = 0; row < pairs.size(); ++row) {
    const auto source = corpus.source(pairs[row]), target = corpus.target(pairs[row]);
    int32_t* const src = batch.source.data() + row * static_cast<size_t>(batch.src_len);
    int32_t* const in = batch.target_in.data() + row * static_cast<size_t>(batch.tgt_len);
    int32_t* const out = batch.target_out.data() + row * static_cast<size_t>(batch.tgt_len);
    *std::copy(source.begin(), source.end(), src) = ids.eos;
    in[0] = ids.bos;
    std::copy(target.begin(), target.end(), in + 1);
    *std::copy(target.begin(), target.end(), out) = ids.eos;
  }
  return batch;
}

std::vector<std::vector<uint32_t>> split_pairs(const std::vector<uint32_t>& pairs, int parts) {
  if (parts < 1) throw std::invalid_argument("split_pairs: the number of parts must be at least 1");
  std::vector<std::vector<uint32_t>> split(static_cast<size_t>(parts));
  // Neighbours have similar lengths.
  for (size_t i = 0; i < pairs.size(); ++i) split[i % split.size()].push_back(pairs[i]);
  return split;
}

}  // namespace ventris::data

#include "data/batches.h"

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace ventris::data {
namespace {

/// Streams of the run's seed that this folder draws from.
enum Stream : uint64_t { kOrderOfPairs = 0, kOrderOfBatches = 1 };

/// Tokens of the longer side, with eos.
int64_t padded_length(const ParallelCorpus& corpus, uint32_t pair) {
  return 1 + static_cast<int64_t>(std::max(corpus.source(pair).size(), corpus.target(pair).size()));
}

uint64_t length_key(const ParallelCorpus& corpus, uint32_t pair) {
  return static_cast<uint64_t>(corpus.target(pair).size()) << 32 | corpus.source(pair).size();
}

}  // namespace

BatchPlan::BatchPlan(const ParallelCorpus& corpus, const BatchOptions& options) : corpus_(corpus), options_(options) {
  int64_t longest = 0;
  for (uint32_t pair = 0; pair < corpus.size(); ++pair) longest = std::max(longest, padded_length(corpus, pair));
  if (longest > options.tokens) {
    fail<ConfigError>("training.batch_tokens: a batch of ", options.tokens, " tokens is smaller than one sentence: the longest has ",
                      longest, " with eos; raise it, or lower data.max_length");
  }
}

std::vector<std::vector<uint32_t>> BatchPlan::epoch(uint64_t number) const {
  const uint64_t seed = core::derive_seed(options_.seed, number);
  auto order = core::shuffled_indices(static_cast<uint32_t>(corpus_.size()), seed, kOrderOfPairs);
  std::vector<uint64_t> keys(corpus_.size());
  for (uint32_t pair = 0; pair < keys.size(); ++pair) keys[pair] = length_key(corpus_, pair);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });

  std::vector<std::vector<uint32_t>> batches;
  std::vector<uint32_t> batch;
  int64_t longest = 0;
  for (const uint32_t pair : order) {
    const int64_t with_pair = std::max(longest, padded_length(corpus_, pair));
    const auto sentences = static_cast<int64_t>(batch.size()) + 1;
    const bool full = sentences * with_pair > options_.tokens || (options_.max_sentences > 0 && sentences > options_.max_sentences);
    if (full) {
      batches.push_back(std::move(batch));
      batch.clear();
      longest = 0;
    }
    batch.push_back(pair);
    longest = std::max(longest, padded_length(corpus_, pair));
  }
  if (!batch.empty()) batches.push_back(std::move(batch));

  std::vector<std::vector<uint32_t>> shuffled;
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
  std::vector<std::vector<uint32_t>> split(static_cast<size_t>(parts));
  for (size_t i = 0; i < pairs.size(); ++i) split[i % split.size()].push_back(pairs[i]);  // neighbours have similar lengths
  return split;
}

}  // namespace ventris::data

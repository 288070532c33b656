#include "data/batch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/random.h"
#include "data/pair_context.h"
#include "data/pair_modifier.h"

namespace ventris::data {
namespace {

/// The streams of the run's seed that this file draws from.
enum Stream : uint64_t { kOrderOfPairs = 0, kOrderOfBatches = 1 };

/// Tokens of the longer side, including eos and `marks` tokens.
int64_t padded_length(const PairLengths& lengths, int64_t marks) {
  return 1 + marks + int64_t{std::max(lengths.source, lengths.target)};
}

/// A stable sort by a small key. Two of these, the less significant key first, are much faster than a sort by
/// comparison.
template <typename Key>
void stable_sort_by(const Key& key, std::vector<uint32_t>& order) {
  uint32_t most = 0;
  for (const uint32_t i : order) most = std::max(most, key(i));
  std::vector<size_t> starts(size_t{2} + most);
  for (const uint32_t i : order) ++starts[key(i) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<uint32_t> sorted(order.size());
  for (const uint32_t i : order) sorted[starts[key(i)]++] = i;
  order.swap(sorted);
}

/// Sorts by the longer side, which limits batches, then by how much longer the target is, alternately ascending and
/// descending. So neighbours are similar on both sides and need little padding. Equal pairs stay in their order.
void sort_by_lengths(const std::vector<PairLengths>& lengths, std::vector<uint32_t>& order) {
  const auto longer = [&](uint32_t i) { return std::max(lengths[i].source, lengths[i].target); };
  stable_sort_by(
      [&](uint32_t i) {
        const uint32_t length = longer(i), lead = length + lengths[i].target - lengths[i].source;
        return length % 2 == 0 ? lead : 2 * length - lead;
      },
      order);
  stable_sort_by(longer, order);
}

/// A window's pairs with their lengths.
struct WindowPairs {
  std::vector<uint32_t> numbers;
  std::vector<PairLengths> lengths;
};

std::vector<std::vector<uint32_t>> cut(const WindowPairs& pairs, const std::vector<uint32_t>& order,
                                       const BatchOptions& options) {
  const int64_t most = options.max_sentences > 0 ? options.max_sentences : static_cast<int64_t>(order.size());
  std::vector<std::vector<uint32_t>> batches;
  int64_t sentences = 0, longest = 0;
  for (const uint32_t i : order) {
    const int64_t length = padded_length(pairs.lengths[i], options.marks);
    longest = std::max(longest, length);
    const double cost = static_cast<double>(sentences + 1) * counted_tokens(longest, options.length_cost);
    if (batches.empty() || sentences == most || cost > static_cast<double>(options.tokens)) {
      batches.emplace_back();
      sentences = 0;
      longest = length;
    }
    batches.back().push_back(pairs.numbers[i]);
    ++sentences;
  }
  return batches;
}

std::vector<uint64_t> sizes_of(const PairStore& store) {
  std::vector<uint64_t> sizes;
  for (const CorpusPart& part : store.summary().parts) sizes.push_back(part.pairs);
  return sizes;
}

/// A pair as the model gets it.
struct MarkedPair {
  const SentencePair& pair;
  const PairMarks& marks;

  int64_t src_len() const {
    return static_cast<int64_t>(marks.before.size() + pair.source.size() + 1 + marks.after.size());
  }
  int64_t tgt_len() const { return static_cast<int64_t>(marks.target.size() + pair.target.size() + 1); }
};

/// Writes a pair's row.
void fill_row(const MarkedPair& marked, size_t row, const core::SpecialIds& ids, Batch& batch) {
  const auto& [pair, marks] = marked;
  int32_t* src = batch.source.data() + row * static_cast<size_t>(batch.src_len);
  int32_t* const in = batch.target_in.data() + row * static_cast<size_t>(batch.tgt_len);
  int32_t* const out = batch.target_out.data() + row * static_cast<size_t>(batch.tgt_len);
  src = std::copy(pair.source.begin(), pair.source.end(), std::ranges::copy(marks.before, src).out);
  *src = ids.eos;
  std::ranges::copy(marks.after, src + 1);
  int32_t* const end = std::copy(pair.target.begin(), pair.target.end(), std::ranges::copy(marks.target, out).out);
  *end = ids.eos;
  in[0] = ids.bos;
  std::copy(out, end, in + 1);
}

/// `marks_of(row)`: those of a pair.
template <typename MarksOf>
Batch padded(std::span<const SentencePair> pairs, const core::SpecialIds& ids, const MarksOf& marks_of) {
  Batch batch;
  batch.sentences = static_cast<int64_t>(pairs.size());
  bool weighted = false;
  for (size_t row = 0; row < pairs.size(); ++row) {
    const MarkedPair marked{pairs[row], marks_of(row)};
    batch.src_len = std::max(batch.src_len, marked.src_len());
    batch.tgt_len = std::max(batch.tgt_len, marked.tgt_len());
    batch.target_tokens += marked.tgt_len();
    batch.target_weight += static_cast<double>(pairs[row].weight) * static_cast<double>(marked.tgt_len());
    weighted = weighted || pairs[row].weight != 1;
  }
  batch.source.assign(static_cast<size_t>(batch.sentences * batch.src_len), ids.pad);
  batch.target_in.assign(static_cast<size_t>(batch.sentences * batch.tgt_len), ids.pad);
  batch.target_out = batch.target_in;
  for (size_t row = 0; row < pairs.size(); ++row) {
    fill_row({pairs[row], marks_of(row)}, row, ids, batch);
    if (weighted) batch.weights.push_back(pairs[row].weight);
  }
  return batch;
}

const PairMarks kNoMarks;

}  // namespace

double counted_tokens(int64_t longest_side, double length_cost) {
  const auto length = static_cast<double>(longest_side);
  return length * (1 + length_cost * length);
}

BatchPlan::BatchPlan(const PairStore& store, const BatchOptions& options, std::shared_ptr<const PairModifier> modifier,
                     int threads, std::shared_ptr<const PairContext> context)
    : store_(store),
      options_(options),
      modifier_(std::move(modifier)),
      threads_(threads),
      context_(std::move(context)),
      order_(sizes_of(store), options.shares, options.seed, options.window) {
  const int64_t longest = 1 + options.marks + int64_t{store.summary().longest};
  const double counted = counted_tokens(longest, options.length_cost);
  if (counted > static_cast<double>(options.tokens)) {
    const std::string as = options.length_cost > 0 ? fmt::format(" and counts as {:.0f}", std::ceil(counted)) : "";
    fail<ConfigError>("training.batch_tokens: a batch of ", options.tokens,
                      " tokens is smaller than one sentence: the longest has ", longest, " tokens with eos", as,
                      "; raise this setting or lower data.max_length");
  }
}

std::vector<std::vector<uint32_t>> BatchPlan::epoch(uint64_t number, uint32_t window) const {
  const uint64_t seed = core::derive_seed(options_.seed, number, window);
  WindowPairs pairs{order_.window(number, window), {}};
  pairs.lengths.resize(pairs.numbers.size());
  store_.lengths(pairs.numbers, pairs.lengths);
  if (modifier_) modifier_->change_lengths(store_, number, pairs.numbers, threads_, pairs.lengths);
  if (context_) context_->add_lengths(store_, number, pairs.numbers, pairs.lengths);
  auto order = core::shuffled_indices(static_cast<uint32_t>(pairs.numbers.size()), seed, kOrderOfPairs);
  sort_by_lengths(pairs.lengths, order);
  auto batches = cut(pairs, order, options_);
  std::vector<std::vector<uint32_t>> shuffled;
  shuffled.reserve(batches.size());
  for (const uint32_t i : core::shuffled_indices(static_cast<uint32_t>(batches.size()), seed, kOrderOfBatches)) {
    shuffled.push_back(std::move(batches[i]));
  }
  return shuffled;
}

Batch PairBatchMaker::make(std::span<const SentencePair> pairs) const {
  return padded(pairs, ids_, [](size_t /*row*/) -> const PairMarks& { return kNoMarks; });
}

const PairMarks& PairBatchMaker::marks_of(const BatchSource& source, size_t row) const {
  return marks_.empty() ? kNoMarks : marks_.at(source.store.summary().place_of(source.numbers[row]).corpus);
}

Batch PairBatchMaker::make(std::span<const SentencePair> pairs, const BatchSource& source) const {
  Batch batch = padded(pairs, ids_, [&](size_t row) -> const PairMarks& { return marks_of(source, row); });
  if (linker_) add_links(pairs, source, batch);
  return batch;
}

void PairBatchMaker::add_links(std::span<const SentencePair> pairs, const BatchSource& source, Batch& batch) const {
  for (size_t row = 0; row < pairs.size(); ++row) {
    const uint32_t tag_tokens = source.store.summary().place_of(source.numbers[row]).tag_tokens;
    const size_t first = batch.links.size();
    linker_->link(pairs[row], tag_tokens, static_cast<int32_t>(row), batch.links);
    const PairMarks& marks = marks_of(source, row);
    for (TokenLink& link : std::span(batch.links).subspan(first)) {
      link.source += static_cast<int32_t>(marks.before.size());
      link.target += static_cast<int32_t>(marks.target.size());
    }
  }
}

std::vector<SentencePair> read_pairs(const PairStore& store, const std::vector<uint32_t>& numbers) {
  std::vector<SentencePair> pairs;
  pairs.reserve(numbers.size());
  for (const uint32_t number : numbers) pairs.push_back(store.pair(number));
  return pairs;
}

std::vector<std::vector<uint32_t>> split_pairs(const std::vector<uint32_t>& pairs, int parts) {
  if (parts < 1) throw std::invalid_argument("split_pairs: the number of parts must be at least 1");
  std::vector<std::vector<uint32_t>> split(static_cast<size_t>(parts));
  // Neighbours have similar lengths.
  for (size_t i = 0; i < pairs.size(); ++i) split[i % split.size()].push_back(pairs[i]);
  return split;
}

}  // namespace ventris::data

#include "data/pair_context.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/random.h"

namespace ventris::data {
namespace {

constexpr uint64_t kContextStream = 0x636f6e74;  // of the run's seed

PairLengths sizes_of_sides(const SentencePair& pair) {
  return {static_cast<uint32_t>(pair.source.size()), static_cast<uint32_t>(pair.target.size())};
}

/// Inserts the ids and the separator at `at`; returns the place behind them.
size_t insert(const std::vector<int32_t>& ids, int32_t separator, size_t at, std::vector<int32_t>& into) {
  const auto place = into.begin() + static_cast<std::ptrdiff_t>(at);
  into.insert(into.insert(place, ids.begin(), ids.end()) + static_cast<std::ptrdiff_t>(ids.size()), separator);
  return at + ids.size() + 1;
}

}  // namespace

bool PairContext::is_single(uint64_t epoch, uint64_t number) const {
  return core::RandomStream(core::derive_seed(rules_.seed, kContextStream, epoch), 0).uniform(number) < rules_.single;
}

/// Adds a sentence of the context and its separator; false if it does not fit.
bool PairContext::grow(PairLengths& sides, const PairLengths& by) const {
  const uint32_t source = sides.source + by.source + 1;
  const uint32_t target = rules_.both ? sides.target + by.target + 1 : sides.target;
  if (std::max(source, target) > rules_.max_length) return false;
  sides.source = source;
  sides.target = target;
  return true;
}

std::vector<SentencePair> PairContext::of(const PairStore& store, uint64_t number, uint64_t epoch,
                                          const SentencePair& pair) const {
  std::vector<SentencePair> context;
  const uint64_t most = std::min<uint64_t>(static_cast<uint64_t>(rules_.sentences), pair.preceding);
  if (most == 0 || is_single(epoch, number)) return context;
  const uint32_t tag_tokens = store.summary().place_of(number).tag_tokens;
  PairLengths sides = sizes_of_sides(pair);
  for (uint64_t back = 1; back <= most; ++back) {
    SentencePair before = store.pair(static_cast<size_t>(number - back));
    before.source.erase(before.source.begin(), before.source.begin() + tag_tokens);
    if (!grow(sides, sizes_of_sides(before))) break;
    context.push_back(std::move(before));
  }
  std::ranges::reverse(context);
  return context;
}

void PairContext::put(std::vector<SentencePair> context, uint32_t tag_tokens, SentencePair& pair) const {
  PairLengths sides = sizes_of_sides(pair);
  size_t first = context.size();
  while (first > 0 && grow(sides, sizes_of_sides(context[first - 1]))) --first;
  size_t source = tag_tokens, target = 0;
  for (const SentencePair& before : std::span(context).subspan(first)) {
    source = insert(before.source, rules_.source_separator, source, pair.source);
    if (rules_.both) target = insert(before.target, rules_.target_separator, target, pair.target);
  }
  pair.source_context = static_cast<uint32_t>(source - tag_tokens);
  pair.target_context = static_cast<uint32_t>(target);
}

void PairContext::add_lengths(const PairStore& store, uint64_t epoch, std::span<const uint32_t> pairs,
                              std::span<PairLengths> lengths) const {
  std::vector<uint32_t> needed;  // ascending: the pairs with those before them that may be their context
  std::vector<uint32_t> most(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (is_single(epoch, pairs[i])) continue;
    most[i] = static_cast<uint32_t>(std::min<int64_t>(rules_.sentences, lengths[i].preceding));
    const uint32_t next = needed.empty() ? 0 : needed.back() + 1;
    for (uint32_t one = std::max(next, pairs[i] - most[i]); one < pairs[i]; ++one) needed.push_back(one);
  }
  std::vector<PairLengths> plain(needed.size());
  store.lengths(needed, plain);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (most[i] == 0) continue;
    const uint32_t tag_tokens = store.summary().place_of(pairs[i]).tag_tokens;
    const auto end = static_cast<size_t>(std::ranges::lower_bound(needed, pairs[i]) - needed.begin());
    for (size_t back = 1; back <= std::min<size_t>(most[i], end); ++back) {
      const PairLengths& before = plain[end - back];
      if (!grow(lengths[i], {before.source - tag_tokens, before.target})) break;
    }
  }
}

}  // namespace ventris::data

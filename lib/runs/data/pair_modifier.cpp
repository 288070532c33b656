#include "data/pair_modifier.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "core/special_ids.h"

namespace ventris::data {
namespace {

size_t unknown_in(const std::vector<int32_t>& ids) {
  return static_cast<size_t>(std::ranges::count(ids, core::SpecialIds{}.unk));
}

/// The pairs that a change takes.
struct TakenPairs {
  std::vector<modifiers::TextPair> texts;
  size_t source_unknown = 0, target_unknown = 0;  // tokens
  size_t source_tokens = 0, target_tokens = 0;
  float weight = 1;  // the smallest

  void add(const SentencePair& pair) {
    weight = texts.empty() ? pair.weight : std::min(weight, pair.weight);
    texts.push_back({pair.source_text, pair.target_text, pair.links});
    source_unknown += unknown_in(pair.source);
    target_unknown += unknown_in(pair.target);
    source_tokens += pair.source.size();
    target_tokens += pair.target.size();
  }
};

/// The pair and those after it in its corpus, up to `count`, and as long as their tokens are not more than `most`.
TakenPairs take(const PairStore& store, uint64_t number, const SentencePair& pair, size_t count, int64_t most) {
  TakenPairs taken;
  taken.add(pair);
  if (count == 1) return taken;
  const PairPlace place = store.summary().place_of(number);
  while (taken.texts.size() < count && number + taken.texts.size() < place.corpus_end) {
    SentencePair next = store.pair(static_cast<size_t>(number + taken.texts.size()));
    next.source.erase(next.source.begin(), next.source.begin() + place.tag_tokens);
    const size_t longest = std::max(taken.source_tokens + next.source.size(), taken.target_tokens + next.target.size());
    if (static_cast<int64_t>(longest) > most) break;
    taken.add(next);
  }
  return taken;
}

}  // namespace

std::optional<DrawnChange> PairModifier::modify(const PairStore& store, uint64_t number, uint64_t epoch,
                                                SentencePair& pair) const {
  const auto choice = modifiers_.choose(epoch, number);
  if (!choice) return std::nullopt;
  return DrawnChange{choice->modifier, change(store, number, *choice, pair)};
}

ChangeResult PairModifier::change(const PairStore& store, uint64_t number, modifiers::Choice choice,
                                  SentencePair& pair) const {
  const modifiers::Modifier& modifier = list()[choice.modifier];
  const size_t count = modifiers::pairs_taken(modifier, choice.draws);
  const TakenPairs taken = take(store, number, pair, count, limits_.max_length);
  if (taken.texts.size() == 1 && count > 1) return ChangeResult::kLength;
  const modifiers::TermForms* forms =
      forms_ != nullptr ? &forms_->at(store.summary().place_of(number).corpus) : nullptr;
  auto texts = modifiers::changed(modifier, taken.texts, choice.draws, modifiers_.division(), forms);
  if (!texts) return ChangeResult::kNothing;
  const uint32_t tag_tokens = store.summary().place_of(number).tag_tokens;
  std::vector<int32_t> source = source_.encode(texts->source), target = target_.encode(texts->target);
  const PairLengths lengths{static_cast<uint32_t>(source.size()), static_cast<uint32_t>(target.size())};
  if (length_problem(lengths, tag_tokens, limits_) != LengthProblem::kNone) return ChangeResult::kLength;
  if (unknown_in(source) > taken.source_unknown || unknown_in(target) > taken.target_unknown) {
    return ChangeResult::kUnknown;
  }
  source.insert(source.begin(), pair.source.begin(), pair.source.begin() + tag_tokens);
  pair = {std::move(source),       std::move(target), std::move(texts->source), std::move(texts->target), taken.weight,
          std::move(texts->links), pair.preceding};
  return ChangeResult::kMade;
}

void PairModifier::change_lengths(const PairStore& store, uint64_t epoch, std::span<const uint32_t> pairs, int threads,
                                  std::span<PairLengths> lengths) const {
  core::parallel_for(pairs.size(), threads, [&](size_t i, int) {
    if (!modifiers_.choose(epoch, pairs[i])) return;
    SentencePair pair = store.pair(pairs[i]);
    modify(store, pairs[i], epoch, pair);
    lengths[i].source = static_cast<uint32_t>(pair.source.size());
    lengths[i].target = static_cast<uint32_t>(pair.target.size());
  });
}

}  // namespace ventris::data

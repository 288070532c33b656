#include "alignment/alignment_model.h"

#include <algorithm>
#include <cmath>

namespace ventris::alignment {
namespace {

constexpr double kWordPrior = 10, kClassPrior = 10, kNullPrior = 1;  // links

/// A count in links; 0 beyond the end.
double links_of(const std::vector<uint64_t>& counts, int32_t number) {
  const auto at = static_cast<size_t>(number);
  return at < counts.size() ? static_cast<double>(counts[at]) / kLink : 0;
}

/// How often a word occurs; a new word counts as half of a word that occurs once.
double occurrences(const WordTable& words, int32_t word) {
  return std::max(0.5, static_cast<double>(words[word].count));
}

double all_occurrences(const WordTable& words) { return std::max(1.0, static_cast<double>(words.tokens())); }

/// IBM model 1: the emissions of each position, as shares.
void share_equally(const HmmInput& input, std::vector<float>& probabilities) {
  probabilities.resize(input.emissions.size());
  const float linked = (1 - kNullShare) / static_cast<float>(input.states);
  for (size_t position = 0; position < input.positions; ++position) {
    const float* emissions = &input.emissions[position * input.states];
    float sum = kNullShare * input.null_emissions[position];
    for (size_t state = 0; state < input.states; ++state) sum += linked * emissions[state];
    for (size_t state = 0; state < input.states; ++state) {
      probabilities[position * input.states + state] = linked * emissions[state] / sum;
    }
  }
}

}  // namespace

const Posteriors& PosteriorComputer::compute(size_t pair, OwnCounts own) {
  const auto source = pairs_.source(pair), target = pairs_.target(pair);
  set_places(sources_, source, pairs_.source_words(), model_.source);
  set_places(targets_, target, pairs_.target_words(), model_.target);
  set_own(own);
  forward_.states = backward_.positions = source.size();
  forward_.positions = backward_.states = target.size();
  forward_.emissions.resize(source.size() * target.size());
  backward_.emissions.resize(source.size() * target.size());
  set_nulls(forward_, targets_, pairs_.target_words(), model_.target);
  set_nulls(backward_, sources_, pairs_.source_words(), model_.source);
  prefetch(0);
  for (size_t at = 0; at < target.size(); ++at) {
    if (at + 1 < target.size()) prefetch(at + 1);
    set_emissions(at);
  }
  run(forward_, model_.forward, posteriors_.forward, jumps_[0]);
  run(backward_, model_.backward, posteriors_.backward, jumps_[1]);
  return posteriors_;
}

void PosteriorComputer::set_places(Places& places, std::span<const int32_t> sentence, const WordTable& words,
                                   const SideCounts& counts) {
  places.clear();
  for (const int32_t word : sentence) {
    const int32_t prefix = words[word].prefix;
    const double occurs = occurrences(words, word), class_occurs = static_cast<double>(words.class_count(word));
    const double linked = links_of(counts.linked, word), class_linked = links_of(counts.classes, prefix);
    places.push_back({word, prefix, linked, class_linked, 1 / (linked + kWordPrior), 1 / (class_linked + kClassPrior),
                      occurs / all_occurrences(words), occurs / std::max(occurs, class_occurs)});
  }
}

void PosteriorComputer::set_nulls(HmmInput& input, const Places& places, const WordTable& words,
                                  const SideCounts& counts) {
  input.null_emissions.clear();
  const double all = static_cast<double>(counts.all_alone) / kLink;
  for (const Place& place : places) {
    const bool is_new = words[place.word].count == 0;
    const double alone = is_new ? all * place.frequency : links_of(counts.alone, place.word);
    const double probability = (alone + kNullPrior * place.frequency) / (all + kNullPrior);
    input.null_emissions.push_back(static_cast<float>(probability));
  }
}

void PosteriorComputer::set_own(OwnCounts own) {
  own_.assign(sources_.size() * targets_.size(), 0);
  for (const uint32_t packed : own) own_[packed >> kCountBits] = packed & ((1U << kCountBits) - 1);
}

void PosteriorComputer::prefetch(size_t target) const {
  const Place& place = targets_[target];
  for (const Place& source : sources_) {
    model_.words.prefetch(source.word, place.word);
    model_.classes.prefetch(source.prefix, place.prefix);
  }
}

void PosteriorComputer::set_emissions(size_t target) {
  const Place& t = targets_[target];
  const Word& target_word = pairs_.target_words()[t.word];
  for (size_t source = 0; source < sources_.size(); ++source) {
    const Place& s = sources_[source];
    const Word& source_word = pairs_.source_words()[s.word];
    const double own = static_cast<double>(own_[target * sources_.size() + source]) / kLink;
    const PairCounts::Entry* known = model_.words.find(s.word, t.word);
    const PairCounts::Entry* known_class = model_.classes.find(s.prefix, t.prefix);
    const auto count_in = [own](const PairCounts::Entry* entry) {
      return entry == nullptr ? 0 : std::max(0.0, static_cast<double>(entry->count()) / kLink - own);
    };
    const Likeness likeness = known != nullptr                ? known->likeness()
                              : spelling_ == Spelling::kQuick ? quick_likeness(source_word, target_word)
                                                              : comparison_.likeness(target_word, source_word);
    const double ratio = static_cast<double>(model_.ratios[pair_class(likeness, source_word, target_word)]);
    const double linked = count_in(known), class_linked = count_in(known_class);
    const auto emission = [&](const Place& from, const Place& to) {
      const double of_class = class_linked * to.share + kClassPrior * to.frequency * ratio;
      if (own == 0) {  // most words of a pair
        return static_cast<float>((linked + kWordPrior * of_class * from.class_factor) * from.factor);
      }
      return static_cast<float>((linked + kWordPrior * of_class / (from.class_linked - own + kClassPrior)) /
                                (from.linked - own + kWordPrior));
    };
    forward_.emissions[target * sources_.size() + source] = emission(s, t);
    backward_.emissions[source * targets_.size() + target] = emission(t, s);
  }
}

void PosteriorComputer::run(const HmmInput& input, const Jumps<float>& jumps, std::vector<float>& probabilities,
                            Jumps<int64_t>& sums) {
  if (stage_ == Stage::kModel1) return share_equally(input, probabilities);
  Jumps<double> counts{};
  hmm_.run(input, jumps, probabilities, stage_ == Stage::kHmm ? &counts : nullptr);
  if (stage_ == Stage::kLinking) return;
  for (size_t i = 0; i < kJumps; ++i) sums[i] += std::llround(counts[i] * kJumpUnit);
}

}  // namespace ventris::alignment

#include "translation/finisher.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "metrics/unicode.h"
#include "text/placeholder_words.h"
#include "text/valid_utf8.h"
#include "text/word_ids.h"

namespace ventris::translation {

/// A hypothesis with its attention and scores.
struct Finisher::Found {
  decoding::Hypothesis hypothesis;
  std::vector<int32_t> before = {};  // the translation of the context, with its separators
  std::vector<float> attention = {};  // [tokens, source] if requested
  std::optional<double> utility = {};
  Candidate candidate = {};  // made from all this

  /// Takes the translation of the context away from the hypothesis. Its score stays that of the search.
  void separate(int32_t separator) {
    const auto& ids = hypothesis.ids;
    const auto begin = std::find(ids.rbegin(), ids.rend(), separator).base();  // behind the last one
    const auto count = begin - ids.begin();
    if (count == 0) return;
    before.assign(ids.begin(), begin);
    erase(0, count);
  }

  /// Takes these ids away after the first `kept` ones, with the space in front of each. Its score stays that of the
  /// search.
  void drop(const std::vector<int32_t>& unwanted, int32_t space, std::ptrdiff_t kept) {
    const auto& ids = hypothesis.ids;
    for (auto i = std::ssize(ids) - 1; i >= kept; --i) {
      if (std::ranges::find(unwanted, ids[static_cast<size_t>(i)]) == unwanted.end()) continue;
      const auto begin = i > kept && ids[static_cast<size_t>(i) - 1] == space ? i - 1 : i;
      erase(begin, i + 1);
      i = begin;
    }
  }

 private:
  void erase(std::ptrdiff_t begin, std::ptrdiff_t end) {
    hypothesis.ids.erase(hypothesis.ids.begin() + begin, hypothesis.ids.begin() + end);
    auto& log_probs = hypothesis.token_log_probs;
    const auto first = log_probs.begin() + std::min(begin, std::ssize(log_probs)),
               last = log_probs.begin() + std::min(end, std::ssize(log_probs));
    for (auto one = first; one != last; ++one) hypothesis.log_prob -= static_cast<double>(*one);
    log_probs.erase(first, last);
  }
};

/// A line while it is finished; its hypotheses are in `found`.
struct Finisher::Work : FoundLine {
  explicit Work(FoundLine line) : FoundLine(std::move(line)) {
    for (auto& hypothesis : hypotheses) {
      found.push_back({std::move(hypothesis)});
      if (separator != kNoSeparator) found.back().separate(separator);
    }
    hypotheses.clear();
  }

  /// The ids of the text and its eos.
  std::span<const int32_t> own_source() const {
    return std::span(source).subspan(marks.before, source.size() - marks.before - marks.after);
  }
  /// What the decoder had before, and the ids of the hypothesis.
  std::vector<int32_t> whole_target(const Found& one) const {
    std::vector<int32_t> all = given;
    all.insert(all.end(), one.before.begin(), one.before.end());
    all.insert(all.end(), one.hypothesis.ids.begin(), one.hypothesis.ids.end());
    return all;
  }
  /// The attention [tokens, source] between the text and its translation, from that with all marks.
  std::vector<float> own(const Found& one, std::vector<float> attention) const {
    const size_t before = given.size() + one.before.size();
    if (marks.before + marks.after + before == 0) return attention;
    std::vector<float> kept;
    for (size_t at = before * source.size(); at < attention.size(); at += source.size()) {
      const auto first = attention.begin() + static_cast<std::ptrdiff_t>(at + marks.before);
      kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(own_source().size()));
    }
    return kept;
  }

  std::vector<Found> found;
};

namespace {

constexpr int32_t kDraws = 16;           // candidates in sampling, if the options give no number
constexpr size_t kWeightsAtOnce = 1 << 21;  // pairs x source x target per call; each head needs as many floats
constexpr double kLeastCoverage = 1e-6;  // keeps the logarithm finite
constexpr double kGreatestPenalty = 100;
constexpr const char* kWhere = "choosing among candidates";

std::string without(const std::string& text, const std::vector<text::ByteRange>& added) {
  std::string kept;
  size_t done = 0;
  for (const text::ByteRange& range : added) {
    kept.append(text, done, range.begin - done);
    done = range.end;
  }
  return kept.append(text, done);
}

/// The word of the line to which each place of its text belongs, as words_of(). What was added belongs to the word
/// before it.
std::vector<int64_t> source_words_of(const FoundLine& line, std::vector<text::ByteRange> places) {
  if (line.added.empty()) return words_of(line.text, places);
  size_t removed = 0;
  auto range = line.added.begin();
  for (text::ByteRange& place : places) {  // ascending
    for (; range != line.added.end() && place.begin >= range->end; ++range) removed += range->end - range->begin;
    const bool inside = range != line.added.end() && place.begin >= range->begin;
    place.begin = (inside ? range->begin - 1 : place.begin) - removed;
    place.end = std::max(place.begin, place.end - std::min(place.end, removed));
  }
  return words_of(without(line.text, line.added), places);
}

void check_candidates(const FinishOptions& options, const decoding::SearchOptions& search) {
  if (options.candidates == 0) return;
  const int64_t most = decoding::most_results(search);
  if (!options.reranks()) fail<ConfigError>("candidates: has an effect only with --mbr or --coverage-penalty");
  if (options.candidates < search.n_best || options.candidates > most) {
    fail<ConfigError>("candidates: must be from n_best (", search.n_best, ") to ",
                      search.sampling.enabled ? "" : "beam_size, ", most, ", got ", options.candidates);
  }
}

}  // namespace

void check(const FinishOptions& options, const decoding::SearchOptions& search) {
  if (!(options.coverage_penalty >= 0 && options.coverage_penalty <= kGreatestPenalty)) {
    fail<ConfigError>("coverage_penalty: must be from 0 (none) to ", kGreatestPenalty, ", got ",
                      options.coverage_penalty);
  }
  if (options.attention.layer < 0) {
    fail<ConfigError>("alignment_layer: must be 0 (default) or more, got ", options.attention.layer);
  }
  if (options.attention.given() && !options.asks_attention()) {
    fail<ConfigError>(
        "alignment_layer, alignment_head: have an effect only with --alignment, --replace-unk, --coverage-penalty, "
        "--markup or --placeholders");
  }
  check_candidates(options, search);
  if (options.reranks() && widened(search, options).n_best < 2) {
    fail<ConfigError>("mbr, coverage_penalty: need more than one candidate; give a larger ",
                      search.sampling.enabled ? "--candidates"
                                              : "--beam-size, or length_candidates for a model that "
                                                "predicts lengths");
  }
}

decoding::SearchOptions widened(decoding::SearchOptions search, const FinishOptions& options) {
  if (!options.reranks()) return search;
  const int32_t all = search.sampling.enabled ? std::max(kDraws, search.n_best) : decoding::most_results(search);
  search.n_best = options.candidates > 0 ? static_cast<int32_t>(options.candidates) : all;
  return search;
}

Finisher::Finisher(text::Tokenizer source, text::Tokenizer target, const model::TokenizerPolicy& policy,
                   const FinishOptions& options, int64_t n_best)
    : source_(std::move(source)),
      target_(std::move(target)),
      policy_(policy),
      options_(options),
      n_best_(static_cast<size_t>(n_best)) {
  for (const std::string_view word : text::kPlaceholderWords) {
    const int32_t id = text::id_of_word(target_, word);
    if (id >= 0) placeholders_.emplace_back(text::id_of_word(source_, word), id);
  }
}

void Finisher::choose_attention(const decoding::AttentionShape& shape, const model::GuidedAttention& learnt) {
  question_ = attention_question(options_.attention, shape, learnt);
  learnt_ = learnt.layer > 0 && !options_.attention.given();
  reading_ = learnt_ && learnt.reading;
}

void Finisher::limit_pairs(const decoding::MemoryNeeds& needs, int64_t bytes) {
  pair_needs_ = needs;
  pair_bytes_ = bytes;
}

std::vector<std::vector<Candidate>> Finisher::finish(std::vector<FoundLine> lines, decoding::PairScorer* scorer) const {
  std::vector<Work> work;
  for (FoundLine& line : lines) {
    work.emplace_back(std::move(line));
    drop_placeholders(work.back());
  }
  const bool covers = options_.coverage_penalty > 0;
  if (covers) watch(work, *scorer, [&](const Work& line, Found& found) { cover(line, found); });
  for (Work& line : work) {
    core::throw_if_stopped(kWhere);
    if (covers) {
      std::ranges::stable_sort(line.found, std::ranges::greater(),
                               [](const Found& found) { return found.hypothesis.score; });
    }
    rerank(line);
  }
  const Use use = [&](const Work& line, Found& found) { found.candidate = candidate_of(line, found); };
  if (options_.alignment || options_.replace_unk) {
    watch(work, *scorer, use);
  } else {
    for (Work& line : work) {
      for (Found& found : line.found) use(line, found);
    }
  }
  std::vector<std::vector<Candidate>> finished;
  for (Work& line : work) {
    finished.emplace_back();
    for (Found& found : line.found) finished.back().push_back(std::move(found.candidate));
  }
  return finished;
}

/// Takes placeholders that the source does not have out of the hypotheses, behind the forced prefix.
void Finisher::drop_placeholders(Work& line) const {
  std::vector<int32_t> unwanted;
  for (const auto& [of_source, of_target] : placeholders_) {
    if (std::ranges::find(line.source, of_source) == line.source.end()) unwanted.push_back(of_target);
  }
  if (unwanted.empty()) return;
  const int32_t space = target_.id_of("\u2581");
  for (Found& found : line.found) found.drop(unwanted, space, static_cast<std::ptrdiff_t>(line.prefix_tokens));
}

/// How many pairs to process together: at least one.
size_t Finisher::batch_of(std::span<const decoding::Pair> pairs) const {
  size_t source = 0, target = 0, count = 0;
  decoding::Load load;
  for (; count < pairs.size(); ++count) {
    const decoding::Pair& pair = pairs[count];
    source = std::max(source, pair.source.size());
    target = std::max(target, pair.tokens());
    const auto longer = static_cast<int64_t>(std::max(pair.source.size(), pair.tokens()));
    load = load.plus(decoding::Load::of(1, longer, longer, 1));
    const bool wide = (count + 1) * source * target > kWeightsAtOnce;
    if (count > 0 && (wide || decoding::bytes_for(pair_needs_, load) > pair_bytes_)) break;
  }
  return count;
}

/// Computes the attention of all hypotheses, a few at a time.
void Finisher::watch(std::vector<Work>& lines, decoding::PairScorer& scorer, const Use& use) const {
  std::deque<std::vector<int32_t>> targets;  // where they stay
  std::vector<decoding::Pair> pairs;
  std::vector<std::pair<const Work*, Found*>> owners;
  for (Work& line : lines) {
    for (Found& one : line.found) {
      const std::vector<int32_t>& target = targets.emplace_back(line.whole_target(one));
      pairs.push_back({line.source, target, !one.hypothesis.truncated});
      owners.emplace_back(&line, &one);
    }
  }
  for (size_t begin = 0, count = 0; begin < pairs.size(); begin += count) {
    core::throw_if_stopped(kWhere);
    count = batch_of(std::span(pairs).subspan(begin));
    auto answers = scorer.answer(std::span(pairs).subspan(begin, count), question_);
    for (size_t i = 0; i < count; ++i) {
      const auto& [line, found] = owners[begin + i];
      std::vector<float>& attention = answers[i].attention;
      if (reading_) move_to_reading(attention, line->source.size(), !found->hypothesis.truncated);
      found->attention = line->own(*found, std::move(attention));
      use(*line, *found);
      found->attention = std::vector<float>();
    }
  }
}

/// Adds the coverage penalty to the score; the eos of the source does not count.
void Finisher::cover(const Work& line, Found& found) const {
  const size_t width = line.own_source().size(), counted = width - (policy_.source_eos ? 1 : 0);
  for (size_t i = 0; i < counted; ++i) {
    double sum = 0;
    for (size_t at = i; at < found.attention.size(); at += width) sum += static_cast<double>(found.attention[at]);
    found.hypothesis.score += options_.coverage_penalty * std::log(std::clamp(sum, kLeastCoverage, 1.0));
  }
}

/// Sorts the candidates by utility, if requested, and keeps at most n_best.
void Finisher::rerank(Work& line) const {
  if (options_.mbr != Utility::kNone) {
    std::vector<std::string> texts;
    for (const Found& found : line.found) texts.push_back(text_of(line, found));
    const std::vector<double> utilities = expected_utilities(texts, options_.mbr);
    for (size_t i = 0; i < utilities.size(); ++i) line.found[i].utility = utilities[i];
    std::stable_sort(line.found.begin(), line.found.end(),
                     [](const Found& a, const Found& b) { return *a.utility > *b.utility; });
  }
  if (line.found.size() > n_best_)
    line.found.erase(line.found.begin() + static_cast<int64_t>(n_best_), line.found.end());
}

/// The text of a hypothesis; unknown tokens of a forced prefix stay as they were given.
std::string Finisher::text_of(const Work& line, const Found& found) const {
  const auto& ids = found.hypothesis.ids;
  if (line.prefix_pieces.empty()) return target_.decode(ids);
  return target_.decode_placed(ids, line.prefix_pieces).text;
}

Candidate Finisher::candidate_of(const Work& line, const Found& found) const {
  const decoding::Hypothesis& hypothesis = found.hypothesis;
  Candidate candidate;
  candidate.log_prob = hypothesis.log_prob;
  candidate.score = hypothesis.score;
  candidate.tokens = static_cast<int64_t>(hypothesis.token_log_probs.size());
  candidate.truncated = hypothesis.truncated;
  candidate.repetitive = decoding::is_repetitive(hypothesis.ids);
  if (options_.tokens) {
    for (const int32_t id : hypothesis.ids) candidate.pieces.push_back(target_.piece(id));
    if (!hypothesis.truncated) candidate.pieces.push_back(target_.piece(policy_.ids.eos));
    candidate.token_log_probs = hypothesis.token_log_probs;
  }
  candidate.utility = found.utility;
  if (options_.alignment || options_.replace_unk) {
    explain(line, found, candidate);
  } else {
    candidate.text = text_of(line, found);
  }
  text::remove_line_ends(candidate.text);
  return candidate;
}

/// Text and links by attention.
void Finisher::explain(const Work& line, const Found& found, Candidate& candidate) const {
  const size_t tokens = line.own_source().size() - (policy_.source_eos ? 1 : 0);
  std::vector<text::ByteRange> places = source_.places(line.text, tokens);
  places.resize(tokens);  // the line may have been cut
  const std::vector<int64_t> words = source_words_of(line, places);
  std::vector<std::string> unknowns;
  if (options_.replace_unk) unknowns = looked_at(line, found, places, words);
  unknowns.resize(std::max(unknowns.size(), line.prefix_pieces.size()));
  std::ranges::copy(line.prefix_pieces, unknowns.begin());
  const text::PlacedText placed = target_.decode_placed(found.hypothesis.ids, unknowns);
  candidate.text = placed.text;
  if (!options_.alignment) return;
  TokenAttention attention{found.attention, words, words_of(placed.text, placed.places), learnt_};
  attention.source_words.resize(line.own_source().size(), -1);  // eos belongs to no word
  candidate.links = align_words(attention);
}

/// The replacement of each unknown token of a translation: the unknown part of the source with the most attention, or,
/// if the source has none, the word with the most attention. Empty for other tokens.
std::vector<std::string> Finisher::looked_at(const Work& line, const Found& found,
                                             const std::vector<text::ByteRange>& places,
                                             const std::vector<int64_t>& word_of) const {
  const auto& ids = found.hypothesis.ids;
  std::vector<std::string> texts(ids.size());
  const std::span<const int32_t> source = line.own_source();
  std::vector<bool> unknown(source.size()), any(source.size());
  for (size_t i = 0; i < places.size(); ++i) {
    unknown[i] = source[i] == policy_.ids.unk;
    any[i] = true;
  }
  const std::string own = without(line.text, line.added);
  const auto words = metrics::split_words(own);
  for (size_t row = 0; row < ids.size(); ++row) {
    if (ids[row] != policy_.ids.unk) continue;
    const int64_t best = most_attended(found.attention, row, unknown);
    const int64_t other = best >= 0 ? -1 : most_attended(found.attention, row, any);
    if (best >= 0) {
      const text::ByteRange& place = places[static_cast<size_t>(best)];
      texts[row] = line.text.substr(place.begin, place.end - place.begin);
    } else if (other >= 0 && word_of[static_cast<size_t>(other)] >= 0) {
      texts[row] = words[static_cast<size_t>(word_of[static_cast<size_t>(other)])];
    }
  }
  return texts;
}

}  // namespace ventris::translation

#include "decoding/search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "decoding/hypotheses.h"

namespace ventris::decoding {
namespace {

constexpr int64_t kSpareLength = 10;  // target tokens allowed beyond max_length_factor x source tokens
constexpr double kGreatestPenalty = 100;
constexpr size_t kTokensAtOnce = 4096;  // padded source tokens to encode between two checks of the stop signal
constexpr const char* kWhere = "search";

/// "beam_size: must be ..., got ...", or empty if all options are valid.
std::string first_problem(const SearchOptions& options) {
  const auto wrong = [](const char* name, const std::string& expected, double found) {
    std::string number = std::to_string(found);
    number.erase(std::min(number.find_last_not_of('0') + 1, number.size()));
    if (number.ends_with('.')) number.pop_back();
    return std::string(name) + ": must be " + expected + ", got " + number;
  };
  const auto count = [](int32_t most) { return "from 1 to " + std::to_string(most); };
  const Sampling& sampling = options.sampling;
  if (options.beam_size < 1 || options.beam_size > kLargestBeam) {
    return wrong("beam_size", count(kLargestBeam), options.beam_size);
  }
  if (options.n_best < 1 || options.n_best > kMostDraws) return wrong("n_best", count(kMostDraws), options.n_best);
  if (options.iterations < 1 || options.iterations > kMostIterations) {
    return wrong("iterations", count(kMostIterations), options.iterations);
  }
  if (options.length_candidates < 1 || options.length_candidates > kLargestBeam) {
    return wrong("length_candidates", count(kLargestBeam), options.length_candidates);
  }
  if (options.n_best > most_results(options)) {
    const char* name = options.length_candidates > 1 ? "length_candidates" : "beam_size";
    return wrong("n_best", "at most " + std::string(name) + " (" + std::to_string(most_results(options)) + ")",
                 options.n_best);
  }
  if (!(options.length_alpha >= 0 && options.length_alpha <= 10)) {
    return wrong("normalize", "from 0 to 10", options.length_alpha);
  }
  if (options.min_length < 0) return wrong("min_length", "0 or more", options.min_length);
  if (!(options.max_length_factor >= 0) || std::isinf(options.max_length_factor)) {
    return wrong("max_length_factor", "0 or more", options.max_length_factor);
  }
  const RepetitionOptions& repetition = options.repetition;
  if (repetition.no_repeat_ngram < 0) return wrong("no_repeat_ngram", "0 (off) or more", repetition.no_repeat_ngram);
  if (!(repetition.penalty >= 1 && repetition.penalty <= kGreatestPenalty)) {
    return wrong("repetition_penalty", "from 1 (none) to 100", repetition.penalty);
  }
  if (sampling.top_k < 0) return wrong("top_k", "0 (all) or more", sampling.top_k);
  if (!(sampling.top_p > 0 && sampling.top_p <= 1)) return wrong("top_p", "over 0 and at most 1", sampling.top_p);
  if (!(sampling.temperature > 0) || std::isinf(sampling.temperature)) {
    return wrong("temperature", "over 0", sampling.temperature);
  }
  return {};
}

/// The same for options that a model which writes token by token does not take.
std::string problem_of_steps(const SearchOptions& options) {
  constexpr const char* kOnly = " is only for models that write all tokens at once (transformer-nat); leave it out";
  if (options.iterations > 1) return std::string("iterations: this") + kOnly;
  if (options.length_candidates > 1) return std::string("length_candidates: this") + kOnly + ", or give beam_size";
  return {};
}

/// The same for a model that writes all tokens at once.
std::string problem_of_one_pass(const SearchOptions& options, const core::Writing& writing) {
  const std::string because = "this model writes all tokens at once, ";
  const auto got = [](int64_t number) { return ", got " + std::to_string(number); };
  const std::string instead = writing.lengths > 0 ? "; leave it out, or give length_candidates" : "; leave it out";
  if (options.beam_size > 1) {
    return "beam_size: must be 1, because " + because + "without a search" + got(options.beam_size) + instead;
  }
  constexpr const char* kOther = "; leave it out, or use a model that writes token by token";
  if (options.sampling.enabled) return "sampling: " + because + "so tokens cannot be drawn one by one" + kOther;
  if (options.repetition.any()) {
    return "no_repeat_ngram, repetition_penalty: " + because + "so the tokens so far cannot exclude others" + kOther;
  }
  if (options.min_length > 0) return "min_length: " + because + "and eos cannot be put off" + kOther;
  if (options.iterations > 1 && !writing.refines) {
    return "iterations: must be 1, because only models with \"objective\": \"mask_predict\" write a translation again" +
           got(options.iterations) + "; leave it out";
  }
  if (options.length_candidates > 1 && writing.lengths == 0) {
    return "length_candidates: must be 1, because this model does not predict a length" +
           got(options.length_candidates) + "; leave it out";
  }
  if (writing.lengths > 0 && options.length_candidates > writing.lengths) {
    return "length_candidates: must be at most " + std::to_string(writing.lengths) +
           ", the lengths that this model knows (2 x length_range + 1)" + got(options.length_candidates);
  }
  return {};
}

void check_sentences(std::span<const Sentence> sentences, const ScorerInfo& info) {
  for (const Sentence& sentence : sentences) {
    if (sentence.source.empty()) throw std::invalid_argument("search: a source has no tokens");
    if (static_cast<int64_t>(sentence.prefix.size()) > info.max_length) {
      throw std::invalid_argument("search: a prefix is longer than the model's longest target");
    }
    for (const int32_t id : sentence.prefix) {
      if (id < 0 || id >= info.vocab || id == info.eos || id == info.bos) {
        throw std::invalid_argument("search: id " + std::to_string(id) + " cannot be part of a prefix");
      }
    }
  }
}

/// The search of a batch. Sentences that are done have no more rows.
class Batch {
 public:
  /// With sampling, the samples are numbered from `first_draw`.
  Batch(StepScorer& scorer, std::span<const Sentence> sentences, const SearchOptions& options, int32_t first_draw)
      : scorer_(scorer), info_(scorer.info()), options_(options) {
    check_sentences(sentences, info_);
    std::vector<std::span<const int32_t>> sources;
    for (const Sentence& sentence : sentences) {
      all_.emplace_back(sentence, options, greatest_length(sentence, options, info_.max_length));
      all_.back().start(static_cast<int32_t>(sources.size()), first_draw);
      sources.push_back(sentence.source);
    }
    scorer_.reset();
    admit(sources);
  }

  std::vector<std::vector<Hypothesis>> run() {
    while (collect_rows()) {
      core::throw_if_stopped(kWhere);
      step();
    }
    scorer_.reset();
    std::vector<std::vector<Hypothesis>> results;
    for (const Hypotheses& hypotheses : all_) results.push_back(hypotheses.results());
    return results;
  }

 private:
  /// Encodes the sentences in parts, so that a stop signal is noticed soon.
  void admit(std::span<const std::span<const int32_t>> sources) {
    for (size_t count = 0; !sources.empty(); sources = sources.subspan(count)) {
      core::throw_if_stopped(kWhere);
      size_t longest = sources.front().size();
      for (count = 1; count < sources.size(); ++count) {
        longest = std::max(longest, sources[count].size());
        if ((count + 1) * longest > kTokensAtOnce) break;
      }
      scorer_.admit(sources.first(count));
    }
  }

  /// Collects the live hypotheses of all sentences as rows; false if there are none.
  bool collect_rows() {
    for (auto* column : {&parents_, &last_ids_, &forced_}) column->clear();
    forbid_eos_.clear();
    penalties_.clear();
    noise_.clear();
    width_ = 1;
    for (Hypotheses& hypotheses : all_) {
      for (Hypotheses::Live& live : hypotheses.live()) add_row(hypotheses, live);
    }
    return !parents_.empty();
  }

  void add_row(const Hypotheses& hypotheses, Hypotheses::Live& live) {
    const auto row = static_cast<int32_t>(parents_.size());
    parents_.push_back(std::exchange(live.row, row));
    last_ids_.push_back(hypotheses.last_id(live, info_.bos));
    forced_.push_back(hypotheses.forced_id());
    forbid_eos_.push_back(hypotheses.forbids_eos() ? 1 : 0);
    hypotheses.penalise(live);
    for (const Penalty& penalty : live.penalties) penalties_.push_back({row, penalty.id, penalty.factor});
    if (options_.sampling.enabled) {
      noise_.push_back(hypotheses.noise(live));
    } else {
      width_ = std::max(width_, hypotheses.places());
    }
  }

  void step() {
    StepRequest request;
    request.parents = parents_;
    request.last_ids = last_ids_;
    request.continuations = static_cast<int32_t>(std::min(width_, static_cast<size_t>(info_.vocab)));
    // Empty if no row needs them, so that a scorer does not have to look at each row.
    if (std::any_of(forced_.begin(), forced_.end(), [](int32_t id) { return id >= 0; })) request.forced = forced_;
    if (std::find(forbid_eos_.begin(), forbid_eos_.end(), 1) != forbid_eos_.end()) request.forbid_eos = forbid_eos_;
    request.penalties = penalties_;
    request.sampling = options_.sampling;
    request.noise = noise_;
    const Continuations continuations = scorer_.advance(request);
    for (Hypotheses& hypotheses : all_) {
      if (!hypotheses.live().empty())
        hypotheses.extend(continuations, static_cast<size_t>(request.continuations), info_.eos);
    }
  }

  StepScorer& scorer_;
  ScorerInfo info_;
  const SearchOptions& options_;
  std::vector<Hypotheses> all_;
  std::vector<int32_t> parents_, last_ids_, forced_;
  std::vector<uint8_t> forbid_eos_;
  std::vector<Penalty> penalties_;
  std::vector<double> noise_;
  size_t width_ = 1;
};

/// All samples of each sentence, at most kLargestBeam at a time.
std::vector<std::vector<Hypothesis>> draw(StepScorer& scorer, std::span<const Sentence> sentences,
                                          const SearchOptions& options) {
  std::vector<std::vector<Hypothesis>> results(sentences.size());
  SearchOptions part = options;
  for (int32_t first = 0; first < options.n_best; first += part.n_best) {
    part.n_best = std::min(kLargestBeam, options.n_best - first);
    auto drawn = Batch(scorer, sentences, part, first).run();
    for (size_t i = 0; i < results.size(); ++i) std::ranges::move(drawn[i], std::back_inserter(results[i]));
  }
  for (auto& of_sentence : results) {
    std::ranges::stable_sort(of_sentence, std::ranges::greater(), &Hypothesis::score);
  }
  return results;
}

}  // namespace

int32_t most_rows(const SearchOptions& options) {
  return options.sampling.enabled ? std::min(options.n_best, kLargestBeam)
                                  : std::max(options.beam_size, options.length_candidates);
}

int32_t most_results(const SearchOptions& options) {
  return options.sampling.enabled ? kMostDraws : std::max(options.beam_size, options.length_candidates);
}

int64_t longest_sentence(const SearchOptions& options, int64_t model_max) {
  return std::min(model_max, kMostPlaces / most_rows(options));
}

int64_t greatest_length(const Sentence& sentence, const SearchOptions& options, int64_t model_max) {
  const double wanted = std::floor(options.max_length_factor * static_cast<double>(sentence.source.size())) +
                        static_cast<double>(kSpareLength + static_cast<int64_t>(sentence.prefix.size()));
  const int64_t longest = longest_sentence(options, model_max);
  return wanted < static_cast<double>(longest) ? static_cast<int64_t>(wanted) : longest;
}

double normalise(double log_prob, int64_t length, double alpha) {
  const auto tokens = static_cast<double>(std::max<int64_t>(length, 1));
  return alpha == 0 ? log_prob : log_prob / std::pow(tokens, alpha);
}

void check(const SearchOptions& options) {
  const std::string problem = first_problem(options);
  if (!problem.empty()) fail<ConfigError>(problem);
}

void check(const SearchOptions& options, const core::Writing& writing) {
  const std::string problem = writing.all_at_once ? problem_of_one_pass(options, writing) : problem_of_steps(options);
  if (!problem.empty()) fail<ConfigError>(problem);
}

std::vector<std::vector<Hypothesis>> search(StepScorer& scorer, std::span<const Sentence> sentences,
                                            const SearchOptions& options) {
  const std::string problem = first_problem(options);
  if (!problem.empty()) throw std::invalid_argument("search: " + problem);
  if (sentences.empty()) return {};
  if (options.sampling.enabled) return draw(scorer, sentences, options);
  return Batch(scorer, sentences, options, 0).run();
}

}  // namespace ventris::decoding

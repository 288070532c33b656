#include "decoding/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.h"
#include "decoding/stream_search.h"

namespace ventris::decoding {
namespace {

constexpr int64_t kSpareLength = 10;  // target tokens allowed beyond max_length_factor x source tokens
constexpr double kGreatestPenalty = 100;

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
  constexpr const char* kOnly = "this is only for models that write all tokens at once (transformer-nat); leave it out";
  if (options.iterations > 1) return fmt::format("iterations: {}", kOnly);
  if (options.length_candidates > 1) return fmt::format("length_candidates: {}, or give beam_size", kOnly);
  return {};
}

/// The same for a model that writes all tokens at once.
std::string problem_of_one_pass(const SearchOptions& options, const architecture::Writing& writing) {
  const std::string because = "this model writes all tokens at once, ";
  const auto got = [](int64_t number) { return ", got " + std::to_string(number); };
  const std::string instead = writing.lengths > 0 ? "; leave it out, or give length_candidates" : "; leave it out";
  if (options.beam_size > 1 && writing.path_positions == 0) {
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

/// The sentences of a batch.
class SentencesOfBatch : public SentenceStream {
 public:
  explicit SentencesOfBatch(std::span<const Sentence> sentences) : sentences_(sentences), results(sentences.size()) {}

  const Sentence* take(const std::function<bool(const Sentence&)>& accept) override {
    return next_ < sentences_.size() && accept(sentences_[next_]) ? &sentences_[next_++] : nullptr;
  }
  void done(const Sentence& sentence, std::vector<Hypothesis> found) override {
    results[static_cast<size_t>(&sentence - sentences_.data())] = std::move(found);
  }

 private:
  std::span<const Sentence> sentences_;
  size_t next_ = 0;

 public:
  std::vector<std::vector<Hypothesis>> results;
};

}  // namespace

bool computes_log_probs(const SearchOptions& options) {
  return options.log_probs || options.beam_size > 1 || options.sampling.enabled;
}

int32_t most_rows(const SearchOptions& options) {
  return options.sampling.enabled ? std::min(options.n_best, options.draws_at_once)
                                  : std::max(options.beam_size, options.length_candidates);
}

int32_t most_results(const SearchOptions& options) {
  return options.sampling.enabled ? kMostDraws : std::max(options.beam_size, options.length_candidates);
}

int64_t longest_sentence(const SearchOptions& options, int64_t model_max) {
  const int64_t longest = std::min(model_max, kMostPlaces / most_rows(options));
  return options.longest > 0 ? std::min(longest, options.longest) : longest;
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

void check(const SearchOptions& options, const architecture::Writing& writing) {
  const std::string problem = writing.all_at_once ? problem_of_one_pass(options, writing) : problem_of_steps(options);
  if (!problem.empty()) fail<ConfigError>(problem);
}

std::vector<std::vector<Hypothesis>> search(StepScorer& scorer, std::span<const Sentence> sentences,
                                            const SearchOptions& options) {
  const std::string problem = first_problem(options);
  if (!problem.empty()) throw std::invalid_argument("search: " + problem);
  SentencesOfBatch stream(sentences);
  constexpr int64_t kAny = std::numeric_limits<int32_t>::max();
  search_stream(scorer, stream, options, {.sentences = kAny, .tokens = std::numeric_limits<int64_t>::max()});
  return std::move(stream.results);
}

}  // namespace ventris::decoding

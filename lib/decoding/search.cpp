#include "decoding/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/error.h"
#include "core/random.h"

namespace ventris::decoding {
namespace {

double normalised(double log_prob, int64_t length, double alpha) {
  return alpha == 0 ? log_prob : log_prob / std::pow(static_cast<double>(std::max<int64_t>(length, 1)), alpha);
}

/// A hypothesis under way.
struct Live {
  std::vector<int32_t> ids;
  std::vector<float> token_log_probs;
  double log_prob = 0;
  int32_t parent_row = 0;  // its row in the scorer's last step
  uint64_t draw = 0;       // which draw of its sentence, when sampling
};

/// A continuation of a live hypothesis.
struct Extension {
  size_t live = 0;
  int32_t id = 0;
  float token_log_prob = 0;
  double log_prob = 0;
};

/// The search of one sentence.
class SentenceSearch {
 public:
  SentenceSearch(const Sentence& sentence, const SearchOptions& options, const ScorerInfo& info, int32_t row)
      : sentence_(sentence), options_(options), info_(info) {
    const double limit = options.max_length_factor * static_cast<double>(sentence.source.size()) + 10;
    max_length_ = static_cast<int64_t>(std::min(limit, static_cast<double>(info.max_length)));
    max_length_ = std::max<int64_t>(max_length_, 1);
    const int32_t starts = options.sampling.enabled ? options.n_best : 1;
    for (int32_t i = 0; i < starts; ++i) {
      live_.emplace_back();
      live_.back().parent_row = row;
      live_.back().draw = static_cast<uint64_t>(i);
    }
  }

  const std::vector<Live>& live() const { return live_; }
  bool done() const { return live_.empty(); }

  /// Most continuations of one row that can matter: all places left, and eos beside them.
  int32_t candidates() const { return options_.sampling.enabled ? 1 : places_left() + 1; }

  int32_t last_id(const Live& live) const { return live.ids.empty() ? info_.bos : live.ids.back(); }

  /// The prefix's token at this position, or -1.
  int32_t forced(const Live& live) const {
    return live.ids.size() < sentence_.prefix.size() ? sentence_.prefix[live.ids.size()] : -1;
  }

  bool eos_forbidden(const Live& live) const { return static_cast<int64_t>(live.ids.size()) < options_.min_length; }

  double noise(const Live& live) const {
    const uint64_t seed = core::derive_seed(options_.seed, sentence_.number, live.draw);
    return core::RandomStream(seed, 0).uniform(live.ids.size());
  }

  /// Takes the candidates of this sentence's rows, of which the first is `first_row` of the step.
  void extend(const Candidates& candidates, size_t per_row, int32_t first_row);

  std::vector<Hypothesis> results();

 private:
  int32_t places_left() const { return options_.beam_size - static_cast<int32_t>(finished_.size()); }
  std::vector<Extension> best_extensions(const Candidates& candidates, size_t per_row, size_t first_row) const;
  void finish(Live live, bool truncated);
  void drop_hopeless();

  const Sentence& sentence_;
  const SearchOptions& options_;
  const ScorerInfo& info_;
  int64_t max_length_ = 0;
  std::vector<Live> live_;
  std::vector<Hypothesis> finished_;
};

std::vector<Extension> SentenceSearch::best_extensions(const Candidates& candidates, size_t per_row, size_t first_row) const {
  std::vector<Extension> all;
  for (size_t i = 0; i < live_.size(); ++i) {
    for (size_t c = (first_row + i) * per_row; c < (first_row + i + 1) * per_row; ++c) {
      if (candidates.ids[c] < 0) continue;
      all.push_back({i, candidates.ids[c], candidates.log_probs[c], live_[i].log_prob + candidates.log_probs[c]});
    }
  }
  if (options_.sampling.enabled) return all;  // each draw goes its own way
  const auto better = [](const Extension& a, const Extension& b) {
    if (a.log_prob != b.log_prob) return a.log_prob > b.log_prob;
    return a.live != b.live ? a.live < b.live : a.id < b.id;
  };
  std::sort(all.begin(), all.end(), better);
  all.resize(std::min(all.size(), static_cast<size_t>(places_left())));
  return all;
}

void SentenceSearch::extend(const Candidates& candidates, size_t per_row, int32_t first_row) {
  const auto extensions = best_extensions(candidates, per_row, static_cast<size_t>(first_row));
  std::vector<Live> next;
  std::vector<Live> ended;
  for (const Extension& extension : extensions) {
    Live live = live_[extension.live];
    live.parent_row = first_row + static_cast<int32_t>(extension.live);
    live.log_prob = extension.log_prob;
    live.token_log_probs.push_back(extension.token_log_prob);
    if (extension.id == info_.eos) {
      ended.push_back(std::move(live));
      continue;
    }
    live.ids.push_back(extension.id);
    next.push_back(std::move(live));
  }
  live_ = std::move(next);
  for (Live& live : ended) finish(std::move(live), /*truncated=*/false);
  if (!live_.empty() && static_cast<int64_t>(live_.front().ids.size()) >= max_length_) {
    for (Live& live : live_) finish(std::move(live), /*truncated=*/true);
    live_.clear();
  }
  if (!options_.sampling.enabled) drop_hopeless();
}

void SentenceSearch::finish(Live live, bool truncated) {
  Hypothesis done;
  done.log_prob = live.log_prob;
  done.score = normalised(live.log_prob, static_cast<int64_t>(live.token_log_probs.size()), options_.length_alpha);
  done.ids = std::move(live.ids);
  done.token_log_probs = std::move(live.token_log_probs);
  done.truncated = truncated;
  finished_.push_back(std::move(done));
}

/// Log-probabilities only fall, so a hypothesis is worth at most its own spread over the greatest length.
void SentenceSearch::drop_hopeless() {
  if (finished_.size() < static_cast<size_t>(options_.n_best)) return;
  std::vector<double> scores;
  for (const Hypothesis& done : finished_) scores.push_back(done.score);
  std::nth_element(scores.begin(), scores.begin() + (options_.n_best - 1), scores.end(), std::greater<>());
  const double worst_kept = scores[static_cast<size_t>(options_.n_best - 1)];
  std::erase_if(live_, [&](const Live& live) {
    return normalised(live.log_prob, max_length_, options_.length_alpha) <= worst_kept;
  });
}

std::vector<Hypothesis> SentenceSearch::results() {
  std::stable_sort(finished_.begin(), finished_.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  if (finished_.size() > static_cast<size_t>(options_.n_best)) finished_.resize(static_cast<size_t>(options_.n_best));
  return std::move(finished_);
}

/// A step's request and the memory behind its spans.
struct Step {
  std::vector<int32_t> parents, last_ids, forced;
  std::vector<uint8_t> forbid_eos;
  std::vector<double> noise;
  bool any_forced = false, any_forbidden = false;
  int32_t candidates = 1;

  void add(const SentenceSearch& search, const Live& live) {
    parents.push_back(live.parent_row);
    last_ids.push_back(search.last_id(live));
    forced.push_back(search.forced(live));
    forbid_eos.push_back(search.eos_forbidden(live) ? 1 : 0);
    any_forced = any_forced || forced.back() >= 0;
    any_forbidden = any_forbidden || forbid_eos.back() != 0;
  }

  StepRequest request(const Sampling& sampling) const {
    StepRequest made;
    made.parents = parents;
    made.last_ids = last_ids;
    made.candidates = candidates;
    if (any_forced) made.forced = forced;
    if (any_forbidden) made.forbid_eos = forbid_eos;
    made.sampling = sampling;
    made.noise = noise;
    return made;
  }
};

/// One decoder step of all sentences that are not done.
void advance_all(StepScorer& scorer, std::vector<SentenceSearch>& searches, const SearchOptions& options) {
  Step step;
  for (const SentenceSearch& search : searches) {
    if (!search.done()) step.candidates = std::max(step.candidates, search.candidates());
    for (const Live& live : search.live()) {
      step.add(search, live);
      if (options.sampling.enabled) step.noise.push_back(search.noise(live));
    }
  }
  const Candidates candidates = scorer.advance(step.request(options.sampling));
  int32_t row = 0;
  for (SentenceSearch& search : searches) {
    const auto rows = static_cast<int32_t>(search.live().size());
    if (rows > 0) search.extend(candidates, static_cast<size_t>(step.candidates), row);
    row += rows;
  }
}

}  // namespace

void check(const SearchOptions& options) {
  const Sampling& sampling = options.sampling;
  if (options.beam_size < 1) fail<ConfigError>("beam_size: must be at least 1, got ", options.beam_size);
  if (options.n_best < 1) fail<ConfigError>("n_best: must be at least 1, got ", options.n_best);
  if (!sampling.enabled && options.n_best > options.beam_size) {
    fail<ConfigError>("n_best: must be at most beam_size (", options.beam_size, "), got ", options.n_best);
  }
  if (!(options.length_alpha >= 0)) fail<ConfigError>("normalize: must be at least 0, got ", options.length_alpha);
  if (options.min_length < 0) fail<ConfigError>("min_length: must be at least 0, got ", options.min_length);
  if (!(options.max_length_factor >= 0)) {
    fail<ConfigError>("max_length_factor: must be at least 0, got ", options.max_length_factor);
  }
  if (sampling.top_k < 0) fail<ConfigError>("top_k: must be at least 0, got ", sampling.top_k);
  if (!(sampling.top_p > 0 && sampling.top_p <= 1)) fail<ConfigError>("top_p: must be in (0, 1], got ", sampling.top_p);
  if (!(sampling.temperature > 0)) fail<ConfigError>("temperature: must be over 0, got ", sampling.temperature);
}

std::vector<std::vector<Hypothesis>> search(StepScorer& scorer, std::span<const Sentence> sentences,
                                            const SearchOptions& options) {
  try {
    check(options);
  } catch (const ConfigError& error) {
    throw std::invalid_argument(error.what());
  }
  scorer.reset();
  const ScorerInfo info = scorer.info();
  std::vector<std::span<const int32_t>> sources;
  std::vector<SentenceSearch> searches;
  searches.reserve(sentences.size());
  for (const Sentence& sentence : sentences) {
    searches.emplace_back(sentence, options, info, static_cast<int32_t>(sources.size()));
    sources.push_back(sentence.source);
  }
  if (!sources.empty()) scorer.admit(sources);
  const auto busy = [](const SentenceSearch& one) { return !one.done(); };
  while (std::any_of(searches.begin(), searches.end(), busy)) advance_all(scorer, searches, options);
  std::vector<std::vector<Hypothesis>> results;
  for (SentenceSearch& one : searches) results.push_back(one.results());
  return results;
}

}  // namespace ventris::decoding

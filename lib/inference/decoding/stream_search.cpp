#include "decoding/stream_search.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/process.h"
#include "decoding/hypotheses.h"

namespace ventris::decoding {
namespace {

constexpr const char* kWhere = "search";

void check_sentence(const Sentence& sentence, const SearchOptions& options, const ScorerInfo& info) {
  if (options.sampling.enabled && sentence.constraints != nullptr && sentence.constraints->requires_any()) {
    throw std::invalid_argument("search: required phrases need a beam search");
  }
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

/// A sentence that was taken, until all its parts are done.
struct Taken {
  const Sentence* sentence;
  Load load;                                    // of each part
  std::vector<std::vector<Hypothesis>> parts;   // the results
  size_t admitted = 0, done = 0;                // parts
};

/// A part of a sentence in the scorer: all of it, or some of its samples.
struct Part {
  Part(Taken& whole, const SearchOptions& its_options, int64_t max_length)
      : taken(whole), number(whole.admitted), options(its_options), hypotheses(*whole.sentence, options, max_length) {}

  Taken& taken;
  size_t number;
  SearchOptions options;  // n_best is the number of its samples
  Hypotheses hypotheses;
};

class StreamSearch {
 public:
  StreamSearch(StepScorer& scorer, SentenceStream& stream, const SearchOptions& options, const DecodeLimits& limits)
      : scorer_(scorer),
        info_(scorer.info()),
        needs_(with_search(info_.memory)),
        stream_(stream),
        options_(options),
        limits_(limits) {}

  void run() {
    scorer_.reset();
    for (admit(); !parts_.empty(); admit()) {
      core::throw_if_stopped(kWhere);
      collect_rows();
      step();
      pass_on();
    }
    scorer_.reset();
  }

 private:
  void admit();
  bool take_part();
  bool has_room(const Load& load);
  void encode(std::span<const std::span<const int32_t>> sources);
  void collect_rows();
  void add_row(const Hypotheses& hypotheses, Hypotheses::Live& live);
  void step();
  void pass_on();
  void finish(Part& part);
  SearchOptions options_of_part(size_t part) const;
  size_t parts_of_sentence() const;

  StepScorer& scorer_;
  const ScorerInfo info_;
  const MemoryNeeds needs_;
  SentenceStream& stream_;
  const SearchOptions& options_;
  const DecodeLimits limits_;
  std::list<Taken> taken_;
  std::deque<std::unique_ptr<Part>> parts_;  // in the order of their rows
  Load peak_;  // what the scorer's memory is large enough for
  std::vector<int32_t> parents_, last_ids_, forced_;
  std::vector<uint8_t> forbid_eos_;
  std::vector<Penalty> penalties_;
  std::vector<Wanted> wanted_;
  std::vector<double> noise_;
  size_t width_ = 1;
};

size_t StreamSearch::parts_of_sentence() const {
  if (!options_.sampling.enabled) return 1;
  const auto at_once = static_cast<size_t>(most_rows(options_));
  return (static_cast<size_t>(options_.n_best) + at_once - 1) / at_once;
}

SearchOptions StreamSearch::options_of_part(size_t part) const {
  SearchOptions options = options_;
  if (!options.sampling.enabled) return options;
  const int32_t at_once = most_rows(options_);
  options.n_best = std::min(at_once, options_.n_best - static_cast<int32_t>(part) * at_once);
  return options;
}

/// Whether a load has room beside what is in the scorer. The scorer keeps its memory, so its peak counts. If the load
/// would have room alone but not beside the peak, it waits until the scorer is empty and its memory can be freed.
bool StreamSearch::has_room(const Load& load) {
  Load now = load;
  for (const auto& part : parts_) now = now.plus(part->taken.load);
  const bool in_memory = bytes_for(needs_, peak_.covering(now)) <= limits_.bytes;
  if (parts_.empty()) {
    if (!in_memory) {
      scorer_.release();
      parents_.clear();
      peak_ = {};
    }
  } else if (!in_memory || !fits(now, needs_, limits_)) {
    return false;
  }
  peak_ = peak_.covering(now);
  return true;
}

/// Takes the next part and appends it to parts_; false if there is none or no room.
bool StreamSearch::take_part() {
  if (taken_.empty() || taken_.back().admitted == taken_.back().parts.size()) {
    Load load;
    const Sentence* sentence = stream_.take([&](const Sentence& next) {
      check_sentence(next, options_, info_);
      load = load_of(next, options_, info_.max_length);
      return has_room(load);
    });
    if (sentence == nullptr) return false;
    taken_.push_back({sentence, load, std::vector<std::vector<Hypothesis>>(parts_of_sentence())});
  } else if (!has_room(taken_.back().load)) {
    return false;
  }
  Taken& taken = taken_.back();
  parts_.push_back(std::make_unique<Part>(taken, options_of_part(taken.admitted), taken.load.longest_target));
  ++taken.admitted;
  return true;
}

/// Fills the free places.
void StreamSearch::admit() {
  const size_t before = parts_.size();
  if (before > 0 && !info_.refills) return;
  if (before == 0 && !info_.refills) {
    scorer_.reset();
    parents_.clear();
    peak_ = {};
  }
  std::vector<std::span<const int32_t>> sources;
  while (take_part()) {
    Part& part = *parts_.back();
    part.hypotheses.start(static_cast<int32_t>(parents_.size() + sources.size()),
                          static_cast<int32_t>(part.number) * most_rows(options_));
    sources.emplace_back(part.taken.sentence->source);
  }
  encode(sources);
}

/// Encodes the sources a few at a time, so that a stop signal is noticed soon.
void StreamSearch::encode(std::span<const std::span<const int32_t>> sources) {
  for (size_t count = 0; !sources.empty(); sources = sources.subspan(count)) {
    core::throw_if_stopped(kWhere);
    size_t longest = sources.front().size();
    for (count = 1; count < sources.size(); ++count) {
      longest = std::max(longest, sources[count].size());
      const auto tokens = static_cast<int64_t>((count + 1) * longest);
      if (tokens > kTokensAtOnce || tokens * static_cast<int64_t>(longest) > kWeightsAtOnce) break;
    }
    scorer_.admit(sources.first(count));
  }
}

/// Collects the live hypotheses of all parts as rows.
void StreamSearch::collect_rows() {
  for (auto* column : {&parents_, &last_ids_, &forced_}) column->clear();
  forbid_eos_.clear();
  penalties_.clear();
  wanted_.clear();
  noise_.clear();
  width_ = 1;
  for (const auto& part : parts_) {
    for (Hypotheses::Live& live : part->hypotheses.live()) add_row(part->hypotheses, live);
  }
}

void StreamSearch::add_row(const Hypotheses& hypotheses, Hypotheses::Live& live) {
  const auto row = static_cast<int32_t>(parents_.size());
  parents_.push_back(std::exchange(live.row, row));
  last_ids_.push_back(hypotheses.last_id(live, info_.bos));
  forced_.push_back(hypotheses.forced_id());
  forbid_eos_.push_back(hypotheses.forbids_eos(live) ? 1 : 0);
  hypotheses.penalise(live);
  for (const Penalty& penalty : live.penalties) penalties_.push_back({row, penalty.id, penalty.factor});
  hypotheses.want(live, info_.eos);
  live.first_wanted = wanted_.size();
  for (const int32_t id : live.wanted) wanted_.push_back({row, id});
  if (options_.sampling.enabled) {
    noise_.push_back(hypotheses.noise(live));
  } else {
    width_ = std::max(width_, hypotheses.places());
  }
}

void StreamSearch::step() {
  StepRequest request;
  request.parents = parents_;
  request.last_ids = last_ids_;
  request.continuations = static_cast<int32_t>(std::min(width_, static_cast<size_t>(info_.vocab)));
  // Empty if no row needs them, so that a scorer does not have to look at each row.
  if (std::any_of(forced_.begin(), forced_.end(), [](int32_t id) { return id >= 0; })) request.forced = forced_;
  if (std::find(forbid_eos_.begin(), forbid_eos_.end(), 1) != forbid_eos_.end()) request.forbid_eos = forbid_eos_;
  request.penalties = penalties_;
  request.wanted = wanted_;
  request.log_probs = computes_log_probs(options_) || !wanted_.empty();
  request.sampling = options_.sampling;
  request.noise = noise_;
  const Continuations continuations = scorer_.advance(request);
  for (const auto& part : parts_) {
    part->hypotheses.extend(continuations, static_cast<size_t>(request.continuations), info_.eos);
  }
}

/// Passes on the sentences that are finished, and frees their places.
void StreamSearch::pass_on() {
  for (const auto& part : parts_) {
    if (part->hypotheses.live().empty()) finish(*part);
  }
  std::erase_if(parts_, [](const auto& part) { return part->hypotheses.live().empty(); });
  for (auto at = taken_.begin(); at != taken_.end();) {
    at = at->done == at->parts.size() ? taken_.erase(at) : std::next(at);
  }
}

void StreamSearch::finish(Part& part) {
  Taken& taken = part.taken;
  taken.parts[part.number] = part.hypotheses.results();
  if (++taken.done < taken.parts.size()) return;
  std::vector<Hypothesis> results = std::move(taken.parts.front());
  for (size_t i = 1; i < taken.parts.size(); ++i) std::ranges::move(taken.parts[i], std::back_inserter(results));
  if (options_.sampling.enabled) std::ranges::stable_sort(results, std::ranges::greater(), &Hypothesis::score);
  stream_.done(*taken.sentence, std::move(results));
}

}  // namespace

Load load_of(const Sentence& sentence, const SearchOptions& options, int64_t model_max) {
  return Load::of(most_rows(options), static_cast<int64_t>(sentence.source.size()),
                  greatest_length(sentence, options, model_max), options.n_best);
}

void search_stream(StepScorer& scorer, SentenceStream& stream, const SearchOptions& options,
                   const DecodeLimits& limits) {
  StreamSearch(scorer, stream, options, limits).run();
}

}  // namespace ventris::decoding

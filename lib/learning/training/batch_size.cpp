#include "training/batch_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "data/batch_plan.h"
#include "distributed/process_group.h"
#include "preparation/training_data.h"
#include "training/learner.h"
#include "training/used_memory.h"

namespace ventris::training {
namespace {

constexpr uint64_t kSurveyedPairs = 100'000;  // whose lengths are looked at
constexpr int64_t kProbeTokens = 512;         // of each replica in the smaller of two batches of a length
constexpr int64_t kMostTokens = 1 << 30;      // of a batch
constexpr double kTriedShare = 0.5;  // of the memory for batches, when some batches of the corpus are tried
constexpr size_t kTriedBatches = 8;
constexpr double kTrySeconds = 30;   // no further one is tried after this time
constexpr double kSafeShare = 0.75;  // of the memory for batches

/// Pairs of a length that occurs in the corpus, and the memory of batches with nothing else.
struct Probe {
  uint32_t pair = 0;
  int64_t length = 0;  ///< padded longest side, as data::BatchPlan counts it
  double per_pair = 0, fixed = 0;  ///< bytes of a batch with n pairs: fixed + n per_pair
};

/// The short, the median and the longest of some pairs, without equal ones. Of pairs with the same longest side, the
/// one with the most tokens.
std::vector<Probe> choose_probes(const data::PairStore& pairs, int64_t marks) {
  const uint64_t size = pairs.size(), count = std::min<uint64_t>(size, kSurveyedPairs);
  std::vector<uint32_t> numbers(static_cast<size_t>(count));
  for (uint64_t i = 0; i < count; ++i) numbers[i] = static_cast<uint32_t>(i * size / count);
  std::vector<data::PairLengths> lengths(numbers.size());
  pairs.lengths(numbers, lengths);
  std::vector<size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](size_t i) {
    return std::pair(std::max(lengths[i].source, lengths[i].target), lengths[i].source + lengths[i].target);
  };
  std::ranges::sort(order, {}, key);
  std::vector<Probe> probes;
  for (const size_t rank : {order.size() / 10, order.size() / 2, order.size() - 1}) {
    const uint32_t longest = key(order[rank]).first;
    const auto end = std::ranges::upper_bound(order, longest, {}, [&](size_t i) { return key(i).first; });
    const Probe probe{numbers[*(end - 1)], 1 + marks + int64_t{longest}};
    if (probes.empty() || probe.length > probes.back().length) probes.push_back(probe);
  }
  return probes;
}

/// Measures batches with a model of its own.
class BatchTrial {
 public:
  BatchTrial(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers, const data::PairStore& pairs)
      : pairs_(pairs),
        steps_(preparation::step_options(config, pairs, tokenizers)),
        memory_(torch::Device(config.training.device)),
        learner_(config, preparation::package_of(config, tokenizers), InitialWeights{},
                 std::make_shared<distributed::SingleProcess>()) {
    learner_.try_batch(pairs_, steps_, {0});  // makes the replicas
  }

  int64_t parameters() const { return learner_.parameter_count(); }
  int replicas() const { return learner_.replicas(); }
  /// What is in memory while it is being written.
  int64_t checkpoint_bytes() const {
    int64_t bytes = 0;
    for (const std::string& part : checkpoint()) bytes += std::ssize(part);
    return bytes;
  }
  int64_t memory_without_batch() const { return memory_.total(); }

  void measure(Probe& probe) {
    const int64_t few = replicas() * ((kProbeTokens + probe.length - 1) / probe.length);
    const double small = growth(probe, few), large = growth(probe, 2 * few);
    probe.per_pair = std::max(large - small, 1.0) / static_cast<double>(few);
    probe.fixed = std::max(small - probe.per_pair * static_cast<double>(few), 0.0);
  }

  /// The peak of all memory with batches of this size from the corpus, while a checkpoint is written.
  int64_t total_peak(data::BatchOptions options, const BatchSize& size) {
    options.tokens = size.tokens;
    options.length_cost = size.length_cost;
    const auto batches = data::BatchPlan(pairs_, options).epoch(0);
    memory_.restart();
    const std::vector<std::string> saved = checkpoint();
    const double until = core::seconds_now() + kTrySeconds;
    for (size_t i = 0; i < std::min(batches.size(), kTriedBatches) && core::seconds_now() < until; ++i) {
      try_batch(batches[i]);
    }
    return memory_.total_peak();
  }

 private:
  std::vector<std::string> checkpoint() const { return {learner_.weights(), learner_.moments(), learner_.average()}; }
  double growth(const Probe& probe, int64_t count) {
    memory_.restart();
    try_batch(std::vector<uint32_t>(static_cast<size_t>(count), probe.pair));
    return static_cast<double>(memory_.growth());
  }
  void try_batch(const std::vector<uint32_t>& batch) {
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, "stopped by a signal while measuring the memory of batches");
    }
    learner_.try_batch(pairs_, steps_, batch);
  }

  const data::PairStore& pairs_;
  data::StepOptions steps_;
  UsedMemory memory_;
  Learner learner_;
};

/// Bytes of a sentence of n tokens: per_token n + per_square n^2, at least those of every probe.
struct Costs {
  double per_token = 0, per_square = 0;

  double of(int64_t length) const {
    const auto n = static_cast<double>(length);
    return n * (per_token + per_square * n);
  }
};

Costs costs_of(const std::vector<Probe>& probes) {
  const auto per_token = [](const Probe& probe) { return probe.per_pair / static_cast<double>(probe.length); };
  const Probe &first = probes.front(), &last = probes.back();
  Costs costs;
  if (last.length > first.length) {
    const double slope = (per_token(last) - per_token(first)) / static_cast<double>(last.length - first.length);
    costs.per_square = std::clamp(slope, 0.0, per_token(last) / static_cast<double>(last.length));
  }
  for (const Probe& probe : probes) {
    const double rest = per_token(probe) - costs.per_square * static_cast<double>(probe.length);
    costs.per_token = std::max(costs.per_token, rest);
  }
  costs.per_token = std::max(costs.per_token, 1.0);
  return costs;
}

/// The size of batches with so many bytes. `longest`: tokens of the longest side, which always fits.
BatchSize size_of(const Costs& costs, double budget, int64_t longest) {
  BatchSize size{0, costs.per_square / costs.per_token};
  const double least = std::ceil(data::counted_tokens(longest, size.length_cost));
  size.tokens = static_cast<int64_t>(
      std::clamp(budget / costs.per_token, least, std::max(least, static_cast<double>(kMostTokens))));
  return size;
}

/// The longest side that a batch can have, with what is put in front of pairs.
int64_t longest_of(const settings::RunConfig& config, const data::PairStore& pairs, int64_t marks) {
  const bool grows = config.data.context.sentences > 0 || !config.data.modifiers.empty();
  return 1 + marks + (grows ? config.data.filter.max_length : int64_t{pairs.summary().longest});
}

/// Bytes rounded up to MiB, for messages.
std::string mebibytes(double bytes) {
  return core::grouped(static_cast<int64_t>(std::ceil(bytes / (1024.0 * 1024.0)))) + " MiB";
}

void check_enough(const settings::TrainingConfig& training, double rest, double longest_cost, double without,
                  int64_t length) {
  if (rest >= longest_cost) return;
  fail<ConfigError>("training.batch_memory: ", training.batch_memory.text(), " is not enough: the run needs ",
                    mebibytes(without), " without a batch, and a batch with only the longest sentence (", length,
                    " tokens) in each replica ", mebibytes(longest_cost),
                    "; raise this setting, or lower data.max_length or training.threads");
}

/// Throws ConfigError if batches with the next length would not fit beside the `resident` bytes, judging by the probe
/// before it.
void check_probe(const settings::TrainingConfig& training, double resident, const Probe& before, const Probe& next,
                 int replicas) {
  const double growth = static_cast<double>(next.length) / static_cast<double>(before.length);
  const double least = before.per_pair * growth * growth * replicas;
  const double without = resident + before.fixed;
  check_enough(training, static_cast<double>(training.batch_memory.bytes()) - without, least, without, next.length);
}

void log_size(const settings::TrainingConfig& training, const BatchSize& size, const std::vector<Probe>& probes) {
  std::vector<int64_t> lengths;
  for (const Probe& probe : probes) lengths.push_back(probe.length);
  core::log_info(fmt::format("batches within {}: {} (batch_tokens {}, length_cost {:.3g})",
                             training.batch_memory.text(), largest_batches(size, lengths), core::grouped(size.tokens),
                             size.length_cost));
}

}  // namespace

BatchSize batch_size_of(const settings::TrainingConfig& config) { return {config.batch_tokens, config.length_cost}; }

int64_t sentences_that_fit(const BatchSize& size, int64_t longest_side) {
  return static_cast<int64_t>(static_cast<double>(size.tokens) / data::counted_tokens(longest_side, size.length_cost));
}

std::string largest_batches(const BatchSize& size, const std::vector<int64_t>& lengths) {
  std::string text = "at most ";
  for (const int64_t length : lengths) {
    const std::string sentences = core::grouped(sentences_that_fit(size, length));
    text += length == lengths.front() ? fmt::format("{} sentences of {} tokens", sentences, length)
                                      : fmt::format(", {} of {}", sentences, length);
  }
  return text;
}

void forget_batch_size(settings::TrainingConfig& config) {
  config.batch_tokens = kMostTokens;
  config.length_cost = 0;
}

int64_t memory_of_process() {
  const int64_t available = core::available_memory();
  return available == 0 ? 0 : available + core::resident_memory().now;
}

std::string memory_problem(const settings::TrainingConfig& config, int64_t available) {
  const settings::MemorySize& memory = config.batch_memory;
  if (config.device != "cpu" || available == 0 || memory.bytes() <= available) return "";
  return fmt::format("training.batch_memory: {} is more than the process can have here ({})", memory.text(),
                     mebibytes(static_cast<double>(available)));
}

BatchSize measure_batch_size(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers,
                             const data::PairStore& pairs, const MeasuredRun& run) {
  const settings::TrainingConfig& training = config.training;
  const auto memory = static_cast<double>(training.batch_memory.bytes() - run.other_bytes);
  core::log_info("measuring the memory of batches (training.batch_memory)");
  const int64_t marks = settings::most_marks(config);
  std::vector<Probe> probes = choose_probes(pairs, marks);
  BatchTrial trial(config, tokenizers, pairs);
  const auto resident = static_cast<double>(trial.memory_without_batch());
  for (size_t i = 0; i < probes.size(); ++i) {
    if (i > 0) check_probe(training, resident, probes[i - 1], probes[i], trial.replicas());
    trial.measure(probes[i]);
  }
  double fixed = std::ranges::max(probes, {}, &Probe::fixed).fixed;
  if (torch::Device(training.device).is_cpu()) fixed += static_cast<double>(trial.checkpoint_bytes());
  if (run.processes > 1) fixed += 4.0 * static_cast<double>(trial.parameters());  // of distributed::GradientBuckets
  const Costs costs = costs_of(probes);
  const int64_t longest = longest_of(config, pairs, marks);
  const double least = costs.of(longest) * trial.replicas();
  const double rest = memory - resident - fixed - (run.processes > 1 ? least : 0);  // parts are not quite equal
  check_enough(training, rest, least, resident + fixed, longest);
  // Memory that is freed is kept for later batches, which have other shapes and do not fill it.
  const double tried = std::max(kTriedShare * rest, least);
  const auto options = preparation::batch_options(config, pairs);
  const auto peak = static_cast<double>(trial.total_peak(options, size_of(costs, tried, longest)));
  const double usable = std::max(least, kSafeShare * rest / std::max(1.0, (peak - resident - fixed) / tried));
  const BatchSize size = size_of(costs, usable * run.processes, longest);
  log_size(training, size, probes);
  return size;
}

}  // namespace ventris::training

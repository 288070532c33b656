#include "alignment/estimation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "alignment/cooccurrences.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"
#include "core/progress.h"
#include "core/random.h"

namespace ventris::alignment {
namespace {

constexpr size_t kMostTablePairs = size_t{1} << 24;
constexpr size_t kBlock = 256;  // sentence pairs that a thread takes at a time
constexpr uint64_t kSampleStream = 0x616c69676e;  // "align"
constexpr double kChanceUnit = 1 << 20;
constexpr const char* kWork = "aligning words";

/// The links of the sentence pairs of a block, as packed for OwnCounts.
struct Block {
  std::vector<uint32_t> links;
  std::vector<size_t> ends;  // of each sentence pair

  OwnCounts of(size_t pair) const {
    const size_t begin = pair == 0 ? 0 : ends[pair - 1];
    return OwnCounts(links).subspan(begin, ends[pair] - begin);
  }
};

/// Sums over classes of word pairs. Of one thread.
using ClassSums = std::array<int64_t, kPairClasses>;

void add_to(uint64_t& sum, uint64_t more) { std::atomic_ref(sum).fetch_add(more, std::memory_order_relaxed); }

class Estimation {
 public:
  Estimation(const SentencePairs& pairs, const EstimationOptions& options) : pairs_(pairs), options_(options) {
    choose();
    blocks_.resize((chosen_.size() + kBlock - 1) / kBlock);
  }

  EstimatedModel run() {
    const int iterations = options_.model1_iterations + options_.hmm_iterations;
    core::Progress progress(kWork, "", static_cast<double>(blocks_.size()) * iterations);
    Cooccurrences words = cooccurring_pairs(pairs_, chosen_, Unit::kWords, kMostTablePairs, options_.threads);
    model_.words = std::move(words.pairs);
    model_.classes = cooccurring_pairs(pairs_, chosen_, Unit::kClasses, kMostTablePairs, options_.threads).pairs;
    for (int iteration = 0; iteration < iterations; ++iteration) {
      const bool hmm = iteration >= options_.model1_iterations;
      if (iteration > 0) expect(hmm ? Stage::kHmm : Stage::kModel1, progress);
      maximize();
    }
    model_.words.remove_zeros();
    model_.classes.remove_zeros();
    const bool complete = from_all_ && words.all_alike;
    return {std::move(model_), complete ? Spelling::kQuick : Spelling::kCompared};
  }

 private:
  void choose() {
    std::vector<uint32_t> all;
    for (uint32_t pair = 0; pair < pairs_.size(); ++pair) {
      if (can_have_links(pairs_, pair)) all.push_back(pair);
    }
    if (all.empty()) {
      fail<DataError>("no line pair can be aligned; expected lines with 1 to ", kMostWords, " words on both sides");
    }
    const core::RandomStream random(options_.seed, kSampleStream);
    const double share = static_cast<double>(options_.max_pairs) / static_cast<double>(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      if (share >= 1 || random.uniform(i) < share) chosen_.push_back(all[i]);
    }
    if (chosen_.empty()) chosen_.push_back(all.front());
    from_all_ = chosen_.size() == all.size();
  }

  /// Calls work(pair, its place in its block, block, worker) for each pair that is used.
  template <typename Work>
  void each_pair(const Work& work) {
    core::parallel_for(blocks_.size(), options_.threads, [&](size_t block, int worker) {
      core::throw_if_stopped(kWork);
      const size_t begin = block * kBlock, end = std::min(begin + kBlock, chosen_.size());
      for (size_t i = begin; i < end; ++i) work(chosen_[i], i - begin, blocks_[block], static_cast<size_t>(worker));
    });
  }

  /// The links of a pair after the last iteration. After the first one, in which all links of a pair have the same
  /// probability, they are not stored, but made again in `made`.
  OwnCounts links_of(uint32_t pair, size_t at, const Block& block, std::vector<uint32_t>& made) const {
    if (stored_) return block.of(at);
    const size_t sources = pairs_.source(pair).size(), targets = pairs_.target(pair).size();
    const double linked = 1 - static_cast<double>(kNullShare);
    const double both = linked / static_cast<double>(sources) * linked / static_cast<double>(targets);
    const auto count = static_cast<uint32_t>(std::lround(both * kLink));
    made.clear();
    for (uint32_t cell = 0; cell < sources * targets; ++cell) made.push_back(cell << kCountBits | count);
    return made;
  }

  /// The links of each pair, from the model and from what the pair contributed to it.
  void expect(Stage stage, core::Progress& progress) {
    std::vector<PosteriorComputer> computers(threads(), {pairs_, model_, stage, Spelling::kQuick});
    std::vector<Block> old(threads());
    std::vector<std::vector<uint32_t>> made(threads());
    each_pair([&](uint32_t pair, size_t at, Block& block, size_t worker) {
      if (at == 0) old[worker] = std::exchange(block, {});
      const Posteriors& found = computers[worker].compute(pair, links_of(pair, at, old[worker], made[worker]));
      const size_t sources = pairs_.source(pair).size(), targets = pairs_.target(pair).size();
      for (size_t target = 0; target < targets; ++target) {
        for (size_t source = 0; source < sources; ++source) {
          const size_t cell = target * sources + source;
          const float both = found.forward[cell] * found.backward[source * targets + target];
          const auto count = static_cast<uint32_t>(std::lround(both * static_cast<float>(kLink)));
          if (count > 0) block.links.push_back(static_cast<uint32_t>(cell) << kCountBits | count);
        }
      }
      block.ends.push_back(block.links.size());
      if (at == 0) progress.add();
    });
    stored_ = true;
    if (stage == Stage::kHmm) set_jumps(computers);
  }

  void set_jumps(const std::vector<PosteriorComputer>& computers) {
    for (const size_t direction : {0, 1}) {
      Jumps<int64_t> sums{};
      for (const PosteriorComputer& computer : computers) {
        for (size_t i = 0; i < kJumps; ++i) sums[i] += computer.jumps()[direction][i];
      }
      double all = 0;
      for (const int64_t sum : sums) all += static_cast<double>(sum) / PosteriorComputer::kJumpUnit + 0.5;
      Jumps<float>& jumps = direction == 0 ? model_.forward : model_.backward;
      for (size_t i = 0; i < kJumps; ++i) {
        jumps[i] = static_cast<float>((static_cast<double>(sums[i]) / PosteriorComputer::kJumpUnit + 0.5) / all);
      }
    }
  }

  /// The model's counts, from the links of all pairs.
  void maximize() {
    model_.words.set_counts_to_zero();
    model_.classes.set_counts_to_zero();
    set_to_zero(model_.source, pairs_.source_words());
    set_to_zero(model_.target, pairs_.target_words());
    std::vector<ClassSums> sums(threads());
    std::vector<std::vector<uint32_t>> made(threads());
    each_pair([&](uint32_t pair, size_t at, Block& block, size_t worker) {
      add(pair, links_of(pair, at, block, made[worker]), sums[worker]);
    });
    for (SideCounts* side : {&model_.source, &model_.target}) {
      for (const uint64_t alone : side->alone) side->all_alone += alone;
    }
    set_ratios(sums);
    if (++maximized_ == 2) {
      model_.words.remove_zeros();
      model_.classes.remove_zeros();
    }
  }

  static void set_to_zero(SideCounts& side, const WordTable& words) {
    side.linked.assign(static_cast<size_t>(words.size()), 0);
    side.alone.assign(static_cast<size_t>(words.size()), 0);
    side.classes.assign(static_cast<size_t>(words.classes()), 0);
    side.all_alone = 0;
  }

  /// Adds the links of a pair to the counts of words and classes. `sums` gets those of the classes of word pairs; in
  /// the first iteration, what these are by chance.
  void add(uint32_t pair, OwnCounts links, ClassSums& sums) {
    const auto source = pairs_.source(pair), target = pairs_.target(pair);
    const std::vector<int32_t> source_classes = classes_of(source, pairs_.source_words()),
                               target_classes = classes_of(target, pairs_.target_words());
    const double i_share = 0.5 / static_cast<double>(source.size()), j_share = 0.5 / static_cast<double>(target.size());
    const int64_t chance = std::llround((i_share + j_share) * kChanceUnit);
    std::vector<int64_t> of_source(source.size()), of_target(target.size());
    for (const uint32_t packed : links) {
      const size_t i = (packed >> kCountBits) % source.size(), j = (packed >> kCountBits) / source.size();
      model_.words.prefetch(source[i], target[j]);
      model_.classes.prefetch(source_classes[i], target_classes[j]);
    }
    for (const uint32_t packed : links) {
      const size_t i = (packed >> kCountBits) % source.size(), j = (packed >> kCountBits) / source.size();
      const uint32_t count = packed & ((1U << kCountBits) - 1);
      of_source[i] += count;
      of_target[j] += count;
      const Word &s = pairs_.source_words()[source[i]], &t = pairs_.target_words()[target[j]];
      auto* known = model_.words.find(source[i], target[j]);
      const Likeness likeness = known != nullptr ? PairCounts::add(*known, count) : quick_likeness(s, t);
      sums[pair_class(likeness, s, t)] += stored_ ? count : chance;
      if (auto* entry = model_.classes.find(source_classes[i], target_classes[j])) PairCounts::add(*entry, count);
    }
    add_side(model_.source, source, source_classes, of_source);
    add_side(model_.target, target, target_classes, of_target);
  }

  static std::vector<int32_t> classes_of(std::span<const int32_t> sentence, const WordTable& words) {
    std::vector<int32_t> classes;
    for (const int32_t word : sentence) classes.push_back(words[word].prefix);
    return classes;
  }

  static void add_side(SideCounts& side, std::span<const int32_t> sentence, const std::vector<int32_t>& classes,
                       const std::vector<int64_t>& linked) {
    for (size_t i = 0; i < sentence.size(); ++i) {
      const auto word = static_cast<size_t>(sentence[i]);
      add_to(side.linked[word], static_cast<uint64_t>(linked[i]));
      add_to(side.classes[static_cast<size_t>(classes[i])], static_cast<uint64_t>(linked[i]));
      add_to(side.alone[word], static_cast<uint64_t>(std::max<int64_t>(kLink - linked[i], 0)));
    }
  }

  /// After the first iteration, in which all links are equally probable, nothing is known about the classes.
  void set_ratios(const std::vector<ClassSums>& of_threads) {
    ClassSums sums{};
    for (const ClassSums& some : of_threads) {
      for (size_t i = 0; i < kPairClasses; ++i) sums[i] += some[i];
    }
    if (!stored_) {
      chances_ = sums;
      return;
    }
    const auto usual = usual_ratios();
    for (size_t i = 0; i < kPairClasses; ++i) {
      const double links = static_cast<double>(sums[i]) / kLink,
                   chance = static_cast<double>(chances_[i]) / kChanceUnit;
      model_.ratios[i] = static_cast<float>((links + static_cast<double>(usual[i])) / (chance + 1));
    }
  }

  size_t threads() const { return static_cast<size_t>(std::max(options_.threads, 1)); }

  const SentencePairs& pairs_;
  const EstimationOptions& options_;
  std::vector<uint32_t> chosen_;
  bool from_all_ = true;
  std::vector<Block> blocks_;
  AlignmentModel model_;
  ClassSums chances_{};  // of each class: the links that are expected if all are equally probable
  int maximized_ = 0;    // iterations
  bool stored_ = false;  // whether the blocks have the links of the last iteration
};

}  // namespace

EstimatedModel estimate_alignment(const SentencePairs& pairs, const EstimationOptions& options) {
  return Estimation(pairs, options).run();
}

}  // namespace ventris::alignment

#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "data/batches.h"

namespace ventris::data {

/// One step's work: a batch split into as many parts as there are replicas, and the place after it.
struct Step {
  std::vector<Batch> parts;   ///< empty batches (sentences = 0) where there were too few pairs
  int64_t target_tokens = 0;  ///< of all parts
  Position next;              ///< where the following step starts: what a checkpoint stores
};

/// Hands out the steps from a position on, without end, made ahead by a thread of its own.
class Prefetcher {
 public:
  /// `parts` a step, at most `ahead` steps made before they are asked for (0 counts as 1). A start behind the last
  /// batch of its epoch is the start of the next epoch. Keeps a reference to the corpus. Throws as BatchPlan does.
  Prefetcher(const ParallelCorpus& corpus, const BatchOptions& options, const text::SpecialIds& ids, int parts,
             Position start, size_t ahead = 8);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// The next step, waited for; rethrows what went wrong in the thread, once the steps made before are used up.
  Step next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ventris::data

#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "data/batches.h"
#include "data/subword_sampler.h"

namespace ventris::data {

/// One step's work: a batch split into as many parts as there are replicas, and the place after it.
struct Step {
  std::vector<Batch> parts;   ///< the own ones; empty batches (sentences = 0) where there were too few pairs
  int64_t target_tokens = 0;  ///< of these parts
  Position next;              ///< where the following step starts: what a checkpoint stores
};

/// What steps are made of, besides the pairs.
struct StepOptions {
  int parts = 1;                                            ///< a step, of all processes
  int first_part = 0;                                       ///< the first that is made here
  int own_parts = 0;                                        ///< how many are made here; 0 = all from the first on
  std::shared_ptr<const SubwordSampler> sampler = nullptr;  ///< redraws the segmentation of every pair; null = none
  int threads = 1;                                          ///< that draw
  size_t ahead = 8;  ///< most steps made before they are asked for; 0 counts as 1
};

/// Hands out the steps from a position on, without end, made ahead by a thread of its own.
class Prefetcher {
 public:
  /// A start behind the last batch of its window, or the last window of its epoch, is the start of the next. Keeps a
  /// reference to the store. Throws as BatchPlan does.
  Prefetcher(const PairStore& store, const BatchOptions& batches, std::shared_ptr<const BatchMaker> maker,
             StepOptions options, Position start);
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

#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "data/batch_plan.h"
#include "data/pair_context.h"
#include "data/pair_modifier.h"
#include "data/subword_sampler.h"

namespace ventris::data {

/// The input of one step: a batch, split into one part per replica, and the position after it.
struct Step {
  std::vector<Batch> parts;   ///< parts of this process; empty batches (sentences = 0) if there were too few pairs
  int64_t target_tokens = 0;  ///< of these parts
  Position next;              ///< where the next step starts; stored in checkpoints
};

/// How steps are made.
struct StepOptions {
  int parts = 1;                                            ///< parts per step, of all processes
  int first_part = 0;                                       ///< first part of this process
  int own_parts = 0;                                        ///< parts of this process; 0 = all from `first_part` on
  std::shared_ptr<const SubwordSampler> sampler = nullptr;  ///< draws a new segmentation of every pair; null = off
  std::shared_ptr<const PairModifier> modifier = nullptr;   ///< changes the texts of some pairs; null = off
  std::shared_ptr<const PairContext> context = nullptr;     ///< puts earlier pairs in front of pairs; null = off
  int threads = 1;                                          ///< for the sampler and the modifier
  size_t ahead = 8;  ///< maximum number of steps that are made in advance; 0 counts as 1
};

/// Makes an endless sequence of steps from a position on, in advance, in its own thread.
class Prefetcher {
 public:
  /// If `start` is after the last batch of a window (or the last window of an epoch), the next one begins.
  /// Keeps a reference to the store. Throws as BatchPlan does.
  Prefetcher(const PairStore& store, const BatchOptions& batches, std::shared_ptr<const BatchMaker> maker,
             StepOptions options, Position start);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Waits for the next step. Rethrows an exception of the thread after all steps that were made before it are used.
  Step next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ventris::data

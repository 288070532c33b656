#include "data/prefetcher.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace ventris::data {

struct Prefetcher::State {
  State(const ParallelCorpus& pairs, const BatchOptions& options, const text::SpecialIds& special, int count,
        Position start, size_t most)
      : corpus(pairs), plan(pairs, options), ids(special), parts(count), position(start) {
    ahead = std::max<size_t>(most, 1);  // without room the thread would wait for ever
  }

  Step make_step(const std::vector<uint32_t>& pairs) const {
    Step step;
    for (const auto& part : split_pairs(pairs, parts)) {
      step.parts.push_back(make_batch(corpus, part, ids));
      step.target_tokens += step.parts.back().target_tokens;
    }
    return step;
  }

  /// Waits for room; false when nobody wants more.
  bool push(Step step) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return quit || ready.size() < ahead; });
    if (quit) return false;
    ready.push_back(std::move(step));
    changed.notify_all();
    return true;
  }

  void run_epochs() {
    while (true) {
      const auto batches = plan.epoch(position.epoch);
      while (position.batch < batches.size()) {
        Step step = make_step(batches[position.batch]);
        position.batch += 1;
        const bool last = position.batch == batches.size();
        step.next = last ? Position{position.epoch + 1, 0} : position;
        if (!push(std::move(step))) return;
      }
      position = {position.epoch + 1, 0};
    }
  }

  void run() {
    try {
      run_epochs();
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
      changed.notify_all();
    }
  }

  const ParallelCorpus& corpus;
  BatchPlan plan;
  text::SpecialIds ids;
  int parts;
  Position position;
  size_t ahead;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Step> ready;
  std::exception_ptr error;
  bool quit = false;
  std::thread thread;
};

Prefetcher::Prefetcher(const ParallelCorpus& corpus, const BatchOptions& options, const text::SpecialIds& ids,
                       int parts, Position start, size_t ahead)
    : state_(std::make_unique<State>(corpus, options, ids, parts, start, ahead)) {
  state_->thread = std::thread([this] { state_->run(); });
}

Prefetcher::~Prefetcher() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->quit = true;
  }
  state_->changed.notify_all();
  state_->thread.join();
}

Step Prefetcher::next() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->error || !state_->ready.empty(); });
  if (state_->ready.empty()) std::rethrow_exception(state_->error);
  Step step = std::move(state_->ready.front());
  state_->ready.pop_front();
  state_->changed.notify_all();
  return step;
}

}  // namespace ventris::data

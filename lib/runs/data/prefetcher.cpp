#include "data/prefetcher.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/parallel.h"
#include "core/resources.h"

namespace ventris::data {

struct Prefetcher::State {
  State(const PairStore& pairs, const BatchOptions& batches, std::shared_ptr<const BatchMaker> batch_maker,
        StepOptions wanted, Position start)
      : store(pairs),
        plan(pairs, batches, wanted.modifier, wanted.threads, wanted.context),
        maker(std::move(batch_maker)),
        options(std::move(wanted)),
        position(start) {
    options.ahead = std::max<size_t>(options.ahead, 1);  // with 0, the thread would wait for ever
  }

  std::vector<SentencePair> read(const std::vector<uint32_t>& numbers) const {
    std::vector<SentencePair> pairs = read_pairs(store, numbers);
    if (!options.sampler && !options.modifier && !options.context) return pairs;
    core::parallel_for(pairs.size(), options.threads, [&](size_t i, int) { change(numbers[i], pairs[i]); });
    return pairs;
  }

  /// Changes a pair, draws its segmentation and gives it its context, as the settings want it.
  void change(uint32_t number, SentencePair& pair) const {
    if (options.modifier) options.modifier->modify(store, number, position.epoch, pair);
    const uint32_t tag_tokens = store.summary().place_of(number).tag_tokens;
    std::vector<SentencePair> context;
    if (options.context) context = options.context->of(store, number, position.epoch, pair);
    if (options.sampler) {
      options.sampler->redraw(pair, number, tag_tokens, position.epoch);
      for (size_t i = 0; i < context.size(); ++i) {
        options.sampler->redraw(context[i], number - (context.size() - i), 0, position.epoch);
      }
    }
    if (options.context) options.context->put(std::move(context), tag_tokens, pair);
  }

  Step make_step(const std::vector<uint32_t>& pairs) const {
    Step step;
    const auto parts = split_pairs(pairs, options.parts);
    const int end = options.own_parts > 0 ? options.first_part + options.own_parts : options.parts;
    for (int part = options.first_part; part < end; ++part) {
      const auto& numbers = parts.at(static_cast<size_t>(part));
      step.parts.push_back(maker->make(read(numbers), {store, numbers, position.epoch}));
      step.target_tokens += step.parts.back().target_tokens;
    }
    return step;
  }

  Position next_window() const {
    const bool last = position.window + 1 >= plan.windows();
    return last ? Position{position.epoch + 1, 0, 0} : Position{position.epoch, 0, position.window + 1};
  }

  /// Waits for free space in the queue; false if no more steps are needed.
  bool push(Step step) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return quit || ready.size() < options.ahead; });
    if (quit) return false;
    ready.push_back(std::move(step));
    changed.notify_all();
    return true;
  }

  void run_epochs() {
    if (position.window >= plan.windows()) position = next_window();
    while (true) {
      const auto batches = plan.epoch(position.epoch, position.window);
      while (position.batch < batches.size()) {
        Step step = make_step(batches[position.batch]);
        position.batch += 1;
        step.next = position.batch == batches.size() ? next_window() : position;
        if (!push(std::move(step))) return;
      }
      position = next_window();
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

  const PairStore& store;
  BatchPlan plan;
  std::shared_ptr<const BatchMaker> maker;
  StepOptions options;
  Position position;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Step> ready;
  std::exception_ptr error;
  bool quit = false;
  std::thread thread;
};

Prefetcher::Prefetcher(const PairStore& store, const BatchOptions& batches, std::shared_ptr<const BatchMaker> maker,
                       StepOptions options, Position start)
    : state_(std::make_unique<State>(store, batches, std::move(maker), std::move(options), start)) {
  state_->thread = core::start_thread([this] { state_->run(); });
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

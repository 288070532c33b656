#include "translation/window_queue.h"

#include "core/process.h"

namespace ventris::translation {

WindowQueue::WindowQueue(const std::vector<BatchItem>& items, const BatchLimits& limits, const WindowWork& work,
                         int64_t most_bytes)
    : items_(items),
      work_(work),
      most_bytes_(most_bytes),
      batches_(similar_lengths(items, limits)),
      taken_(items.size()),
      done_(items.size()),
      bytes_(items.size()) {
  for (const auto& batch : batches_) order_.insert(order_.end(), batch.begin(), batch.end());
  std::vector<size_t> without;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].length == 0) without.push_back(i);
  }
  for (const size_t item : without) taken_[item] = 1;
  finish(without);
}

void WindowQueue::each_batch(const std::function<void(const std::vector<size_t>& batch)>& process) {
  while (const std::vector<size_t>* batch = core::stop_signal() == 0 ? take_batch() : nullptr) {
    process(*batch);
    finish(*batch);
  }
}

/// The next batch; null at the end.
const std::vector<size_t>* WindowQueue::take_batch() {
  const std::lock_guard lock(mutex_);
  return stopped_ || next_batch_ == batches_.size() ? nullptr : &batches_[next_batch_++];
}

/// Moves both places where the next item may be to one that was not taken.
void WindowQueue::skip_taken() {
  while (next_in_order_ < order_.size() && taken_[order_[next_in_order_]] != 0) ++next_in_order_;
  while (first_waiting_ < taken_.size() && taken_[first_waiting_] != 0) ++first_waiting_;
}

bool WindowQueue::too_full(size_t item) const { return held_ > 0 && held_ + items_[item].result_bytes > most_bytes_; }

std::optional<size_t> WindowQueue::take_item(bool idle, const std::function<bool(size_t item)>& accept) {
  std::unique_lock lock(mutex_);
  for (;;) {
    skip_taken();
    if (stopped_ || next_in_order_ == order_.size()) return {};
    size_t item = order_[next_in_order_];
    if (too_full(item)) {
      if (!idle) return {};
      item = first_waiting_;
      if (item > next_out_) {  // an earlier one is not done; when it is, results can be handed out
        changed_.wait(lock);
        continue;
      }
    }
    if (!accept(item)) return {};
    taken_[item] = 1;
    bytes_[item] = items_[item].result_bytes;
    held_ += bytes_[item];
    return item;
  }
}

void WindowQueue::finish(std::span<const size_t> items, int64_t bytes) {
  const std::lock_guard lock(mutex_);
  for (const size_t item : items) {
    done_[item] = 1;
    held_ -= bytes_[item];
    bytes_[item] = 0;
    if (work_.done) work_.done(item);
  }
  if (!items.empty()) bytes_[items.back()] = bytes;
  held_ += bytes;
  hand_out();
  changed_.notify_all();
}

void WindowQueue::hand_out() {
  if (failed_) return;
  failed_ = true;  // stays true if hand_out() throws: then no other thread hands out items
  for (; next_out_ < done_.size() && done_[next_out_] != 0; ++next_out_) {
    work_.hand_out(next_out_);
    held_ -= bytes_[next_out_];
  }
  failed_ = false;
}

void WindowQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool WindowQueue::empty() {
  const std::lock_guard lock(mutex_);
  skip_taken();
  return stopped_ || next_in_order_ == order_.size();
}

}  // namespace ventris::translation

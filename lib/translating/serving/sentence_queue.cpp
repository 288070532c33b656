#include "serving/sentence_queue.h"

#include <algorithm>

namespace ventris::serving {

void SentenceQueue::add(uint64_t job, uint64_t lane, size_t sentences) {
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = lanes_.try_emplace(lane);
    if (is_new) turns_.push_back(lane);
    Lane& its_lane = place->second;
    its_lane.jobs.push_back(job);
    its_lane.waiting += sentences;
    jobs_[job] = {lane, 0, sentences, std::prev(its_lane.jobs.end())};
    waiting_ += sentences;
  }
  changed_.notify_all();
}

/// Forgets a job without sentences, and its lane if that has no other.
void SentenceQueue::leave(uint64_t number, std::map<uint64_t, Lane>::iterator lane) {
  lane->second.jobs.erase(jobs_.at(number).turn);
  jobs_.erase(number);
  if (!lane->second.jobs.empty()) return;
  std::erase(turns_, lane->first);
  lanes_.erase(lane);
}

size_t SentenceQueue::remove(uint64_t job) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return 0;
  const size_t left = found->second.end - found->second.next;
  const auto lane = lanes_.find(found->second.lane);
  lane->second.waiting -= left;
  waiting_ -= left;
  leave(job, lane);
  return left;
}

std::optional<uint64_t> SentenceQueue::wait_for_lane() {
  std::unique_lock lock(mutex_);
  ++idle_;
  changed_.wait(lock, [&] { return stopped_ || !turns_.empty(); });
  --idle_;
  if (turns_.empty()) return {};
  const uint64_t lane = turns_.front();
  std::rotate(turns_.begin(), turns_.begin() + 1, turns_.end());
  return lane;
}

std::optional<QueuedSentence> SentenceQueue::take(uint64_t lane, size_t working, size_t taken) {
  const std::lock_guard lock(mutex_);
  const auto found = lanes_.find(lane);
  if (found == lanes_.end()) return {};
  if (taken >= kTurn && lanes_.size() > 1 && idle_ == 0) return {};
  Lane& its_lane = found->second;
  if (idle_ > 0 && working >= share(its_lane.waiting + working, idle_)) return {};
  const uint64_t number = its_lane.jobs.front();
  Job& job = jobs_.at(number);
  const QueuedSentence sentence{number, job.next++};
  --its_lane.waiting;
  --waiting_;
  if (job.next == job.end) {
    leave(number, found);
  } else {
    its_lane.jobs.splice(its_lane.jobs.end(), its_lane.jobs, job.turn);
  }
  return sentence;
}

void SentenceQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

size_t SentenceQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

}  // namespace ventris::serving

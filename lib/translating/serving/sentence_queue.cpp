#include "serving/sentence_queue.h"

#include <algorithm>

namespace ventris::serving {

/// The short and the long sentences of a job; none or one part each.
std::array<SentenceQueue::Ring, 2> SentenceQueue::parts_of(uint64_t job, std::span<const size_t> bytes) {
  std::array<Ring, 2> parts;
  for (size_t i = 0; i < bytes.size(); ++i) {
    Ring& part = parts[bytes[i] > kLongBytes ? 1 : 0];
    if (part.empty()) part.push_back({.job = job});
    part.front().sentences.push_back(i);
  }
  return parts;
}

/// Makes a place for a job, and for its lane if that has no sentences, or changes nothing if there is no memory.
SentenceQueue::Job& SentenceQueue::make_place(uint64_t job, uint64_t lane) {
  const auto place = lanes_.try_emplace(lane).first;
  try {
    Job& added = jobs_[job] = {.lane = lane};
    if (place->second.waiting == 0) turns_.push_back(lane);
    return added;
  } catch (...) {
    jobs_.erase(job);
    drop_if_empty(place);
    throw;
  }
}

void SentenceQueue::add(uint64_t job, uint64_t lane, std::span<const size_t> bytes) {
  std::array<Ring, 2> parts = parts_of(job, bytes);
  {
    const std::lock_guard lock(mutex_);
    Job& added = make_place(job, lane);
    Lane& its_lane = lanes_.at(lane);
    for (size_t ring = 0; ring < parts.size(); ++ring) {
      if (parts[ring].empty()) continue;
      added.parts[ring] = parts[ring].begin();
      its_lane.rings[ring].splice(its_lane.rings[ring].end(), parts[ring]);
    }
    its_lane.waiting += bytes.size();
    waiting_ += bytes.size();
  }
  changed_.notify_all();
}

/// Forgets a part of a job, and the job if it was the last one.
void SentenceQueue::drop_part(std::unordered_map<uint64_t, Job>::iterator job, size_t ring) {
  std::optional<Ring::iterator>& part = job->second.parts[ring];
  Lane& lane = lanes_.at(job->second.lane);
  lane.waiting -= (*part)->sentences.size();
  waiting_ -= (*part)->sentences.size();
  lane.rings[ring].erase(*part);
  part.reset();
  if (!job->second.parts[1 - ring]) jobs_.erase(job);
}

void SentenceQueue::drop_if_empty(Lanes::iterator lane) {
  if (lane->second.waiting > 0) return;
  std::erase(turns_, lane->first);
  lanes_.erase(lane);
}

size_t SentenceQueue::remove(uint64_t job) {
  const std::lock_guard lock(mutex_);
  const size_t before = waiting_;
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return 0;
  const auto lane = lanes_.find(found->second.lane);
  const std::array<bool, 2> has{found->second.parts[0].has_value(), found->second.parts[1].has_value()};
  for (size_t ring = 0; ring < has.size(); ++ring) {
    if (has[ring]) drop_part(found, ring);
  }
  drop_if_empty(lane);
  return before - waiting_;
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

std::optional<QueuedSentence> SentenceQueue::take(uint64_t lane, const Workload& work) {
  const std::lock_guard lock(mutex_);
  const auto found = lanes_.find(lane);
  if (found == lanes_.end()) return {};
  if (work.taken >= kTurn && lanes_.size() > 1 && idle_ == 0) return {};
  Lane& its_lane = found->second;
  if (idle_ > 0 && work.sentences >= share(its_lane.waiting + work.sentences, idle_)) return {};
  const bool has_short = !its_lane.rings[0].empty();
  const bool has_long = !its_lane.rings[1].empty() && work.long_ones < kMostLong && !work.only_short;
  if (!has_short && !has_long) return {};
  const bool is_long = has_long && (its_lane.long_next || !has_short);
  its_lane.long_next = !is_long;
  Ring& ring = its_lane.rings[is_long ? 1 : 0];
  const QueuedSentence sentence{ring.front().job, ring.front().sentences.front(), is_long};
  ring.front().sentences.pop_front();
  --its_lane.waiting;
  --waiting_;
  if (ring.front().sentences.empty()) {
    drop_part(jobs_.find(sentence.job), is_long ? 1 : 0);
    drop_if_empty(found);
  } else {
    ring.splice(ring.end(), ring, ring.begin());
  }
  return sentence;
}

std::optional<uint64_t> SentenceQueue::lane_to_visit(uint64_t lane) {
  const std::lock_guard lock(mutex_);
  if (idle_ > 0) return {};
  const auto found =
      std::ranges::find_if(turns_, [&](uint64_t other) { return other != lane && !lanes_.at(other).rings[0].empty(); });
  if (found == turns_.end()) return {};
  std::rotate(found, found + 1, turns_.end());
  return turns_.back();
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

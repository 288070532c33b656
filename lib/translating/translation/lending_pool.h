#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ventris::translation {

/// A pool of objects for any number of threads; each object serves one thread at a time.
template <typename T>
class LendingPool {
 public:
  struct GiveBack {
    const LendingPool* pool = nullptr;
    void operator()(T* thing) const { pool->give_back(thing); }
  };
  /// A borrowed object, which is returned to the pool when this is destroyed; may be null.
  using Lent = std::unique_ptr<T, GiveBack>;

  /// Do not call it while an object is lent.
  void add(T thing) {
    things_.push_back(std::make_unique<T>(std::move(thing)));
    free_.push_back(things_.back().get());
    holders_.reserve(things_.size());
  }

  /// Waits until one is free. A thread that has one must not ask for another.
  Lent lend() const {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty(); });
    return take();
  }

  /// Null if none is free.
  Lent lend_if_free() const {
    const std::lock_guard lock(mutex_);
    return free_.empty() ? Lent(nullptr, {this}) : take();
  }

  /// Whether the calling thread has one.
  bool held_here() const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(holders_, [](const auto& held) { return held.second == std::this_thread::get_id(); });
  }

  /// The first object that was added, to read a property that all share; not while another thread has one.
  const T& first() const { return *things_.front(); }

 private:
  Lent take() const {
    T* thing = free_.back();
    free_.pop_back();
    holders_.emplace_back(thing, std::this_thread::get_id());
    return {thing, {this}};
  }

  void give_back(T* thing) const {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(thing);  // has room: it held this one before
      std::erase_if(holders_, [&](const auto& held) { return held.first == thing; });
    }
    returned_.notify_one();
  }

  std::vector<std::unique_ptr<T>> things_;
  mutable std::mutex mutex_;
  mutable std::condition_variable returned_;
  mutable std::vector<T*> free_;  // the one that was used last is at the end
  mutable std::vector<std::pair<T*, std::thread::id>> holders_;
};

}  // namespace ventris::translation

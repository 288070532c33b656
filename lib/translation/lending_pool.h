#pragma once
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ventris::translation {

/// Things of which each serves one thread at a time, for any number of threads.
template <typename T>
class LendingPool {
 public:
  /// One of the things, until this object goes away.
  class Lent {
   public:
    explicit Lent(const LendingPool& pool) : pool_(pool), thing_(pool.take()) {}
    ~Lent() { pool_.give_back(thing_); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    T& operator*() const { return *thing_; }
    T* operator->() const { return thing_; }

   private:
    const LendingPool& pool_;
    T* thing_;
  };

  /// Not while something is lent.
  void add(T thing) {
    things_.push_back(std::make_unique<T>(std::move(thing)));
    free_.push_back(things_.back().get());
  }

  /// Waits until one is free. A thread that has one must not ask for another.
  Lent lend() const { return Lent(*this); }

  /// The first one that was added, for a property that all have in common. Not while one is lent to another thread.
  const T& first() const { return *things_.front(); }

 private:
  T* take() const {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty(); });
    T* thing = free_.back();
    free_.pop_back();
    return thing;
  }

  void give_back(T* thing) const {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(thing);  // has room: it held this one before
    }
    returned_.notify_one();
  }

  std::vector<std::unique_ptr<T>> things_;
  mutable std::mutex mutex_;
  mutable std::condition_variable returned_;
  mutable std::vector<T*> free_;  // the one that was used last is at the end
};

}  // namespace ventris::translation

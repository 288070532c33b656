#pragma once
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ventris::translation {

/// A pool of objects for any number of threads; each object serves one thread at a time.
template <typename T>
class LendingPool {
 public:
  /// A borrowed object, which is returned to the pool when this is destroyed.
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

  /// Do not call it while an object is lent.
  void add(T thing) {
    things_.push_back(std::make_unique<T>(std::move(thing)));
    free_.push_back(things_.back().get());
  }

  /// Waits until one is free. A thread that has one must not ask for another.
  Lent lend() const { return Lent(*this); }

  /// The first object that was added, to read a property that all share; not while another thread has one.
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

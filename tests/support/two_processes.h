#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "distributed/process_group.h"

namespace ventris::test {

/// Where the members of a group of threads meet: each gives something and gets what all gave.
class MeetingPoint {
 public:
  explicit MeetingPoint(int size) : size_(size) {}

  std::vector<torch::Tensor> exchange(int rank, const torch::Tensor& own) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return taken_ == 0; });  // the round before is over
    given_.resize(static_cast<size_t>(size_));
    given_[static_cast<size_t>(rank)] = own.clone();
    if (++arrived_ == size_) {
      taken_ = size_;
      wake_.notify_all();
    }
    wake_.wait(lock, [this] { return taken_ > 0; });
    auto all = given_;
    if (--taken_ == 0) {
      arrived_ = 0;
      wake_.notify_all();
    }
    return all;
  }

 private:
  int size_, arrived_ = 0, taken_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<torch::Tensor> given_;
};

/// A process group whose processes are threads of a test.
class ThreadGroup final : public distributed::ProcessGroup {
 public:
  ThreadGroup(MeetingPoint& point, int rank, int size) : point_(point), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::unique_ptr<Sum> start_sum(torch::Tensor tensor) override {
    torch::Tensor sum = torch::zeros_like(tensor);
    for (const auto& part : point_.exchange(rank_, tensor)) sum.add_(part);
    tensor.copy_(sum);
    ++sums;
    return distributed::SingleProcess().start_sum(tensor);
  }
  std::string broadcast(std::string bytes) override { return text(point_.exchange(rank_, tensor(bytes)).front()); }
  std::vector<std::string> gather(const std::string& bytes) override {
    std::vector<std::string> all;
    for (const auto& part : point_.exchange(rank_, tensor(bytes))) all.push_back(text(part));
    return all;
  }
  void leave() override {}
  void fail(const std::string&) noexcept override {}

  int sums = 0;  ///< how many were asked for

 private:
  static torch::Tensor tensor(std::string bytes) {
    return torch::from_blob(bytes.data(), {static_cast<int64_t>(bytes.size())}, torch::kByte).clone();
  }
  static std::string text(const torch::Tensor& bytes) {
    return {static_cast<const char*>(bytes.data_ptr()), static_cast<size_t>(bytes.numel())};
  }

  MeetingPoint& point_;
  int rank_, size_;
};

/// Calls work(group) in two threads, as two processes would.
template <typename Work>
void as_two_processes(const Work& work) {
  MeetingPoint point(2);
  const auto first = std::make_shared<ThreadGroup>(point, 0, 2), second = std::make_shared<ThreadGroup>(point, 1, 2);
  std::thread other([&] { work(second); });
  work(first);
  other.join();
}

}  // namespace ventris::test

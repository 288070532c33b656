#pragma once
#include <torch/torch.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "distributed/ranks.h"

namespace ventris::distributed {

/// The processes that train one model together. All call the same functions in the same order. Where another process
/// failed or is gone, every function throws PeerError with its rank, its machine and, if it left one, its last
/// sentence; where all others give signs of life and a connection broke nevertheless, with what broke it.
class ProcessGroup {
 public:
  /// A sum under way.
  class Sum {
   public:
    virtual ~Sum() = default;
    virtual void wait() = 0;
  };

  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool leads() const { return rank() == 0; }

  /// Begins to replace a dense tensor by its sum over all processes, to the same bits for all of them. The tensor is
  /// not to be touched before wait().
  virtual std::unique_ptr<Sum> start_sum(torch::Tensor tensor) = 0;

  /// Rank 0's bytes, for all.
  virtual std::string broadcast(std::string bytes) = 0;

  /// Everyone's bytes, by rank. All give the same number of them.
  virtual std::vector<std::string> gather(const std::string& bytes) = 0;

  /// Says that nothing is left to do: returns when rank 0 has said so too.
  virtual void leave() = 0;

  /// Tells the others why this process ends, unless another was first or leave() was called. Never throws.
  virtual void fail(const std::string& reason) noexcept = 0;

  template <typename T>
  T broadcast_value(const T& value) {
    return from_bytes<T>(broadcast(to_bytes(value)));
  }
  template <typename T>
  std::vector<T> gather_values(const T& value) {
    std::vector<T> values;
    for (const std::string& bytes : gather(to_bytes(value))) values.push_back(from_bytes<T>(bytes));
    return values;
  }

 private:
  template <typename T>
  static std::string to_bytes(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  template <typename T>
  static T from_bytes(const std::string& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
};

/// A group of one: nothing to wait for, nothing to tell.
class SingleProcess final : public ProcessGroup {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::unique_ptr<Sum> start_sum(torch::Tensor) override;
  std::string broadcast(std::string bytes) override { return bytes; }
  std::vector<std::string> gather(const std::string& bytes) override { return {bytes}; }
  void leave() override {}
  void fail(const std::string&) noexcept override {}
};

/// Meets the other processes; a group of one where ranks.size is 1. Sums of CPU tensors go by Gloo, those of CUDA
/// tensors by NCCL if it was there when Ventris was built, else by Gloo. Throws ConfigError if they do not all arrive
/// in time, if they contradict each other, or if Ventris was built without Gloo.
std::unique_ptr<ProcessGroup> join_processes(const Ranks& ranks);

/// For what each process checks by itself: if any has found a problem, all throw ConfigError with the one of the lowest
/// rank. An empty text is no problem; of a long one the beginning is kept.
void fail_together(ProcessGroup& group, const std::string& problem);

}  // namespace ventris::distributed

#pragma once
#include <torch/torch.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "distributed/ranks.h"

namespace ventris::distributed {

/// The processes that train one model. All call the same functions in the same order. If another process failed or is
/// gone, every function throws PeerError with its rank, its machine and, if there is one, its last message. If a
/// connection broke although all others give signs of life, PeerError says why it broke.
class ProcessGroup {
 public:
  /// A sum that may not be finished.
  class Sum {
   public:
    virtual ~Sum() = default;
    virtual void wait() = 0;
  };

  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool leads() const { return rank() == 0; }

  /// Begins to replace a dense tensor by its sum over all processes, which all get with the same bits. Do not use the
  /// tensor before wait().
  virtual std::unique_ptr<Sum> start_sum(torch::Tensor tensor) = 0;

  /// Returns the bytes of rank 0 in all processes.
  virtual std::string broadcast(std::string bytes) = 0;

  /// Returns the bytes of all processes, by rank. All must give the same number of bytes.
  virtual std::vector<std::string> gather(const std::string& bytes) = 0;

  /// Call at the end. Returns when rank 0 is at the end, too.
  virtual void leave() = 0;

  /// Tells the others why this process ends, unless another process did so first or leave() was called. Never throws.
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

/// A group of one process, in which all functions are trivial.
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

/// Joins the other processes; a group of one if ranks.size is 1. Sums of CPU tensors use Gloo; those of CUDA tensors
/// use NCCL if Ventris was built with it, else Gloo. Throws ConfigError if not all processes arrive in time, if they
/// contradict each other, or if Ventris was built without Gloo.
std::unique_ptr<ProcessGroup> join_processes(const Ranks& ranks);

/// For checks that each process makes: if any process has a problem, all throw ConfigError with the problem of the
/// lowest rank. An empty text means no problem; a long text is cut.
void fail_together(ProcessGroup& group, const std::string& problem);

}  // namespace ventris::distributed

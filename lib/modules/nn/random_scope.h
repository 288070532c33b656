#pragma once
#include <ATen/core/Generator.h>

#include <optional>

namespace ventris::nn {

/// While it lives, dropout on this thread draws from this generator, so that replicas of a model on several threads are
/// reproducible. Scopes nest.
class RandomScope {
 public:
  explicit RandomScope(at::Generator generator);
  ~RandomScope();
  RandomScope(const RandomScope&) = delete;
  RandomScope& operator=(const RandomScope&) = delete;

  /// The generator of the innermost scope on this thread; empty = use the device's default generator.
  static const std::optional<at::Generator>& current();

 private:
  std::optional<at::Generator> outer_;
};

}  // namespace ventris::nn

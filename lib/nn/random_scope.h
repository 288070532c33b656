#pragma once
#include <ATen/core/Generator.h>

#include <optional>

namespace ventris::nn {

/// While it lives, the dropout of this thread draws from this generator, so replicas of a model in threads of their own
/// are reproducible. Scopes nest.
class RandomScope {
 public:
  explicit RandomScope(at::Generator generator);
  ~RandomScope();
  RandomScope(const RandomScope&) = delete;
  RandomScope& operator=(const RandomScope&) = delete;

  /// The innermost scope's generator on this thread; none = the device's default one.
  static const std::optional<at::Generator>& current();

 private:
  std::optional<at::Generator> outer_;
};

}  // namespace ventris::nn

#include "nn/random_scope.h"

#include <utility>

namespace ventris::nn {
namespace {

thread_local std::optional<at::Generator> current_generator;

}  // namespace

RandomScope::RandomScope(at::Generator generator) : outer_(std::exchange(current_generator, std::move(generator))) {}

RandomScope::~RandomScope() { current_generator = std::move(outer_); }

const std::optional<at::Generator>& RandomScope::current() { return current_generator; }

}  // namespace ventris::nn

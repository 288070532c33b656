#include "nn/dropout.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <bit>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>

#include "nn/random_scope.h"

namespace ventris::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// What decides the fate of every element of one call: the same draw gives the same mask.
struct Draw {
  Draw(double p, uint64_t seed)
      : low(static_cast<uint32_t>(seed)),
        high(static_cast<uint32_t>(seed >> 32)),
        lowest_kept(static_cast<int32_t>(p * 0x1p32 - 0x1p31)),
        scale(static_cast<float>(1 / (1 - p))) {}

  /// The factor of element `index`: 0 or 1 / (1 - p). A counter-based generator: the index is mixed as in "lowbias32"
  /// (C. Wellons, Prospecting for Hash Functions, 2018), the seed in two places.
  [[gnu::always_inline]] float factor(uint32_t index) const {
    uint32_t bits = index * 0x9e3779b9U + low;
    bits ^= bits >> 16;
    bits *= 0x7feb352dU;
    bits ^= (bits >> 15) ^ high;
    bits *= 0x846ca68bU;
    bits ^= bits >> 16;
    return std::bit_cast<int32_t>(bits) >= lowest_kept ? scale : 0.0F;
  }

  uint32_t low, high;
  int32_t lowest_kept;
  float scale;
};

/// result[i] = x[i] * factor(i) for i in [begin, end). The inner loop of fixed length is one a compiler vectorises.
[[gnu::always_inline]] inline void drop_range(const float* x, float* __restrict result, int64_t begin, int64_t end,
                                              const Draw draw) {
  constexpr int64_t kBlock = 64;
  int64_t i = begin;
  for (; i + kBlock <= end; i += kBlock) {
    for (int64_t j = 0; j < kBlock; ++j) result[i + j] = x[i + j] * draw.factor(static_cast<uint32_t>(i + j));
  }
  for (; i < end; ++i) result[i] = x[i] * draw.factor(static_cast<uint32_t>(i));
}

using DropRange = void (*)(const float*, float*, int64_t, int64_t, Draw);

void drop_plain(const float* x, float* result, int64_t begin, int64_t end, Draw draw) {
  drop_range(x, result, begin, end, draw);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void drop_avx2(const float* x, float* result, int64_t begin, int64_t end, Draw draw) {
  drop_range(x, result, begin, end, draw);
}
DropRange best_drop() { return __builtin_cpu_supports("avx2") ? drop_avx2 : drop_plain; }
#else
DropRange best_drop() { return drop_plain; }
#endif

/// Dropout of f32 on a CPU in one pass. Drawing bits with bernoulli_ took a tenth of a training step of a small model;
/// here the backward pass makes them once more and nothing is stored.
struct CpuDropout : torch::autograd::Function<CpuDropout> {
  static Tensor forward(AutogradContext* context, const Tensor& x, double p, int64_t seed) {
    static const DropRange drop = best_drop();
    const Tensor dense = x.contiguous();
    Tensor result = at::empty_like(dense);
    const float* from = dense.const_data_ptr<float>();
    float* to = result.mutable_data_ptr<float>();
    const Draw draw(p, static_cast<uint64_t>(seed));
    constexpr int64_t kGrain = 1 << 15;
    at::parallel_for(0, dense.numel(), kGrain, [&](int64_t begin, int64_t end) { drop(from, to, begin, end, draw); });
    context->saved_data["p"] = p;
    context->saved_data["seed"] = seed;
    return result;
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const double p = context->saved_data["p"].toDouble();
    return {apply(outer[0], p, context->saved_data["seed"].toInt()), Tensor(), Tensor()};
  }
};

/// A fresh number from the scope's generator, or from torch's default one.
int64_t draw_seed() {
  at::Generator generator = RandomScope::current().value_or(at::detail::getDefaultCPUGenerator());
  const std::lock_guard lock(generator.mutex());
  return static_cast<int64_t>(at::check_generator<at::CPUGeneratorImpl>(generator)->random64());
}

}  // namespace

DropoutImpl::DropoutImpl(double probability) : p(probability) {
  if (!(p >= 0 && p < 1)) throw std::invalid_argument("Dropout: p must be in [0, 1), got " + std::to_string(p));
}

Tensor DropoutImpl::forward(const Tensor& x) {
  if (!is_training() || p == 0) return x;
  if (x.is_cpu() && x.scalar_type() == torch::kFloat) return CpuDropout::apply(x, p, draw_seed());
  Tensor mask;
  {
    const torch::NoGradGuard no_grad;
    mask = torch::empty_like(x).bernoulli_(1 - p, RandomScope::current()).div_(1 - p);
  }
  return x * mask;
}

void DropoutImpl::pretty_print(std::ostream& out) const { out << "ventris::nn::Dropout(p=" << p << ")"; }

}  // namespace ventris::nn

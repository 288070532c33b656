#include "nn/dropout.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>

#include "core/random.h"
#include "gpu/gpu_functions.h"
#include "gpu/gpu_program.h"
#include "kernels/element_kernels.h"
#include "nn/cpu_types.h"
#include "nn/random_scope.h"

namespace ventris::nn {
namespace {

using kernels::DropDraw;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kElementGrain = 1 << 15;

/// p and seed, kept for the backward pass, which computes the mask again.
void save_draw(AutogradContext* context, double p, int64_t seed) {
  context->saved_data["p"] = p;
  context->saved_data["seed"] = seed;
}

DropDraw saved_draw(AutogradContext* context) {
  return {context->saved_data["p"].toDouble(), static_cast<uint64_t>(context->saved_data["seed"].toInt())};
}

Tensor drop(const Tensor& x, const DropDraw& draw) {
  const Tensor dense = x.contiguous();
  Tensor result = at::empty_like(dense);
  for_cpu_type(x, [&](auto type) {
    using T = decltype(type);
    at::parallel_for(0, dense.numel(), kElementGrain, [&](int64_t begin, int64_t end) {
      kernels::element_kernels<T>().drop(data<T>(dense) + begin, data<T>(result) + begin, begin, end - begin, draw);
    });
  });
  return result;
}

/// Dropout on a CPU. (With bernoulli_, drawing took a tenth of a training step of a small model.) The mask is not
/// stored; the backward pass computes it again.
struct CpuDropout : torch::autograd::Function<CpuDropout> {
  static Tensor forward(AutogradContext* context, const Tensor& x, double p, int64_t seed) {
    save_draw(context, p, seed);
    return drop(x, DropDraw(p, static_cast<uint64_t>(seed)));
  }
  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    return {drop(outer[0], saved_draw(context)), Tensor(), Tensor()};
  }
};

/// x + dropout(y), x in f32.
struct AddDropped : torch::autograd::Function<AddDropped> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& y, double p, int64_t seed) {
    const Tensor base = x.contiguous(), addend = y.contiguous();
    Tensor result = at::empty_like(base);
    const DropDraw draw(p, static_cast<uint64_t>(seed));
    for_cpu_type(addend, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, base.numel(), kElementGrain, [&](int64_t begin, int64_t end) {
        kernels::element_kernels<T>().add_dropped(data<float>(base) + begin, data<T>(addend) + begin,
                                                  data<float>(result) + begin, begin, end - begin, draw);
      });
    });
    save_draw(context, p, seed);
    context->saved_data["type"] = static_cast<int64_t>(y.scalar_type());
    return result;
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const Tensor gradient = outer[0].contiguous();
    const auto type = static_cast<torch::ScalarType>(context->saved_data["type"].toInt());
    Tensor of_addend = at::empty_like(gradient, gradient.options().dtype(type));
    const DropDraw draw = saved_draw(context);
    for_cpu_type(of_addend, [&](auto element) {
      using T = decltype(element);
      at::parallel_for(0, gradient.numel(), kElementGrain, [&](int64_t begin, int64_t end) {
        kernels::element_kernels<T>().add_dropped_gradient(data<float>(gradient) + begin, data<T>(of_addend) + begin,
                                                           begin, end - begin, draw);
      });
    });
    return {outer[0], of_addend, Tensor(), Tensor()};
  }
};

/// dropout(relu(x)). The result shows which elements were kept.
struct ReluDropped : torch::autograd::Function<ReluDropped> {
  static Tensor forward(AutogradContext* context, const Tensor& x, double p, int64_t seed) {
    const Tensor dense = x.contiguous();
    Tensor result = at::empty_like(dense);
    const DropDraw draw(p, static_cast<uint64_t>(seed));
    for_cpu_type(dense, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, dense.numel(), kElementGrain, [&](int64_t begin, int64_t end) {
        kernels::element_kernels<T>().relu_dropped(data<T>(dense) + begin, data<T>(result) + begin, begin, end - begin,
                                                   draw);
      });
    });
    save_draw(context, p, seed);
    context->save_for_backward({result});
    return result;
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const Tensor gradient = outer[0].contiguous(), result = context->get_saved_variables()[0];
    Tensor of_x = at::empty_like(gradient);
    const float scale = saved_draw(context).scale;
    for_cpu_type(of_x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, gradient.numel(), kElementGrain, [&](int64_t begin, int64_t end) {
        kernels::element_kernels<T>().relu_dropped_gradient(data<T>(gradient) + begin, data<T>(result) + begin,
                                                            data<T>(of_x) + begin, end - begin, scale);
      });
    });
    return {of_x, Tensor(), Tensor()};
  }
};

/// Takes the next number of a GPU's generator on the host, without waiting for the GPU: from the seed and the number of
/// draws so far, which the generator counts.
uint64_t draw_of_gpu(at::Generator& generator) {
  constexpr uint64_t kStep = 4;  // the generator accepts multiples of 4
  const uint64_t offset = generator.get_offset();
  generator.set_offset(offset + kStep);
  return core::derive_seed(generator.current_seed(), offset);
}

DropDraw draw_for(const Tensor& x, double p) { return {p, static_cast<uint64_t>(draw_dropout_seed(x.device()))}; }

}  // namespace

int64_t draw_dropout_seed(torch::Device device) {
  const auto& scope = RandomScope::current();
  at::Generator generator = scope ? *scope : at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  if (!generator.device().is_cpu()) return static_cast<int64_t>(draw_of_gpu(generator));
  return static_cast<int64_t>(at::check_generator<at::CPUGeneratorImpl>(generator)->random64());
}

DropoutImpl::DropoutImpl(double probability) : p(probability) {
  if (!(p >= 0 && p < 1)) throw std::invalid_argument("Dropout: p must be in [0, 1), got " + std::to_string(p));
}

Tensor DropoutImpl::forward(const Tensor& x) {
  if (!is_training() || p == 0) return x;
  if (has_cpu_kernels(x)) return CpuDropout::apply(x, p, draw_dropout_seed());
  if (gpu::has_kernels(x)) return gpu::drop(x, draw_for(x, p));
  if (x.is_cuda()) return std::get<0>(at::native_dropout(x, p, /*train=*/true));
  Tensor mask;
  {
    const torch::NoGradGuard no_grad;
    mask = torch::empty_like(x).bernoulli_(1 - p, RandomScope::current()).div_(1 - p);
  }
  return x * mask;
}

Tensor DropoutImpl::add_to(const Tensor& x, const Tensor& y) {
  if (!is_training() || p == 0) return x + y;
  const bool fits = x.scalar_type() == torch::kFloat && x.sizes() == y.sizes() && x.device() == y.device();
  if (fits && has_cpu_kernels(y)) return AddDropped::apply(x, y, p, draw_dropout_seed());
  if (fits && gpu::has_kernels(y)) return gpu::add_dropped(x, y, draw_for(x, p));
  return x + forward(y);
}

Tensor DropoutImpl::relu(const Tensor& x) {
  if (!is_training() || p == 0) return at::relu(x);
  if (has_cpu_kernels(x)) return ReluDropped::apply(x, p, draw_dropout_seed());
  return gpu::has_kernels(x) ? gpu::relu_dropped(x, draw_for(x, p)) : forward(at::relu(x));
}

void DropoutImpl::pretty_print(std::ostream& out) const { out << "ventris::nn::Dropout(p=" << p << ")"; }

}  // namespace ventris::nn

#include "kernels/layer_norm_kernels.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer_norm_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

/// The sum over j of value(d, j), first in whole vectors, then in single elements.
template <typename Value>
HWY_INLINE float sum_of(int64_t count, const Value& value) {
  const hn::ScalableTag<float> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  auto sums = hn::Zero(whole);
  int64_t j = 0;
  for (; j + lanes <= count; j += lanes) sums = hn::Add(sums, value(whole, j));
  float sum = hn::GetLane(hn::SumOfLanes(whole, sums));
  const hn::CappedTag<float, 1> single;
  for (; j < count; ++j) sum += hn::GetLane(value(single, j));
  return sum;
}

template <typename T>
void forward(const NormRows& rows, const float* bias, float epsilon, T* out) {
  const auto width = static_cast<float>(rows.width);
  for (int64_t i = 0; i < rows.rows; ++i) {
    const float* x = rows.x + i * rows.width;
    T* line = out + i * rows.width;
    const float mean = sum_of(rows.width, [&](auto d, int64_t j) HWY_ATTR { return hn::LoadU(d, x + j); }) / width;
    const float squares = sum_of(rows.width, [&](auto d, int64_t j) HWY_ATTR {
      const auto centred = hn::Sub(hn::LoadU(d, x + j), hn::Set(d, mean));
      return hn::Mul(centred, centred);
    });
    const float inverse = 1 / std::sqrt(squares / width + epsilon);
    rows.mean[i] = mean;
    rows.inverse[i] = inverse;
    for_elements(rows.width, [&](auto d, int64_t j) HWY_ATTR {
      const auto normal = hn::Mul(hn::Sub(hn::LoadU(d, x + j), hn::Set(d, mean)), hn::Set(d, inverse));
      store(d, hn::MulAdd(normal, hn::LoadU(d, rows.gain + j), hn::LoadU(d, bias + j)), line + j);
    });
  }
}

template <typename T>
void backward(const NormRows& rows, const T* of_out, const float* residual, float* of_x, float* of_gain,
              float* of_bias) {
  const auto width = static_cast<float>(rows.width);
  for (int64_t i = 0; i < rows.rows; ++i) {
    const float *x = rows.x + i * rows.width, mean = rows.mean[i], inverse = rows.inverse[i];
    const T* outer = of_out + i * rows.width;
    const auto normal = [&](auto d, int64_t j) HWY_ATTR {
      return hn::Mul(hn::Sub(hn::LoadU(d, x + j), hn::Set(d, mean)), hn::Set(d, inverse));
    };
    const auto of_normal = [&](auto d, int64_t j)
                               HWY_ATTR { return hn::Mul(load(d, outer + j), hn::LoadU(d, rows.gain + j)); };
    const float mean_gradient = sum_of(rows.width, of_normal) / width;
    const float mean_product =
        sum_of(rows.width, [&](auto d, int64_t j) HWY_ATTR { return hn::Mul(of_normal(d, j), normal(d, j)); }) / width;
    float* line = of_x + i * rows.width;
    const float* other = residual == nullptr ? nullptr : residual + i * rows.width;
    for_elements(rows.width, [&](auto d, int64_t j) HWY_ATTR {
      const auto gradient = load(d, outer + j), place = normal(d, j);
      store(d, hn::MulAdd(gradient, place, hn::LoadU(d, of_gain + j)), of_gain + j);
      store(d, hn::Add(gradient, hn::LoadU(d, of_bias + j)), of_bias + j);
      const auto rest =
          hn::NegMulAdd(place, hn::Set(d, mean_product), hn::Sub(of_normal(d, j), hn::Set(d, mean_gradient)));
      const auto base = other == nullptr ? hn::Zero(d) : hn::LoadU(d, other + j);
      store(d, hn::MulAdd(rest, hn::Set(d, inverse), base), line + j);
    });
  }
}

LayerNormKernels<float> layer_norm_kernels_float() { return {forward<float>, backward<float>}; }
LayerNormKernels<BFloat16> layer_norm_kernels_bfloat16() { return {forward<BFloat16>, backward<BFloat16>}; }

}  // namespace
}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ventris::kernels {
HWY_EXPORT(layer_norm_kernels_float);
HWY_EXPORT(layer_norm_kernels_bfloat16);

template <>
const LayerNormKernels<float>& layer_norm_kernels() {
  static const LayerNormKernels<float> kernels = HWY_DYNAMIC_DISPATCH(layer_norm_kernels_float)();
  return kernels;
}

template <>
const LayerNormKernels<BFloat16>& layer_norm_kernels() {
  static const LayerNormKernels<BFloat16> kernels = HWY_DYNAMIC_DISPATCH(layer_norm_kernels_bfloat16)();
  return kernels;
}

}  // namespace ventris::kernels
#endif

#include "kernels/smoothed_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/smoothed_loss.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hwy/contrib/math/math-inl.h"
#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

/// Calls work(tag, j) for whole vectors and then for single elements, until all of [0, count) are done.
template <typename Work>
HWY_INLINE void for_elements(int64_t count, const Work& work) {
  const hn::ScalableTag<float> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  int64_t j = 0;
  for (; j + lanes <= count; j += lanes) work(whole, j);
  const hn::CappedTag<float, 1> single;
  for (; j < count; ++j) work(single, j);
}

struct RowSums {
  float largest, sum, exp_sum;
};

/// row = products + bias; its largest element and its sum.
template <typename T>
RowSums read_row(const T* products, const float* bias, int64_t vocab, float* row) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto top = hn::Set(d, -std::numeric_limits<float>::infinity()), sums = hn::Zero(d);
  int64_t j = 0;
  for (; j + lanes <= vocab; j += lanes) {
    const auto value = hn::Add(load(d, products + j), hn::LoadU(d, bias + j));
    hn::StoreU(value, d, row + j);
    top = hn::Max(top, value);
    sums = hn::Add(sums, value);
  }
  RowSums found{hn::GetLane(hn::MaxOfLanes(d, top)), hn::GetLane(hn::SumOfLanes(d, sums)), 0};
  const hn::CappedTag<float, 1> single;
  for (; j < vocab; ++j) {
    row[j] = hn::GetLane(load(single, products + j)) + bias[j];
    found.largest = std::max(found.largest, row[j]);
    found.sum += row[j];
  }
  return found;
}

/// row = exp(row - largest); returns the sum.
float exponentiate(float* row, int64_t vocab, float largest) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto sums = hn::Zero(d);
  int64_t j = 0;
  for (; j + lanes <= vocab; j += lanes) {
    const auto value = hn::Exp(d, hn::Sub(hn::LoadU(d, row + j), hn::Set(d, largest)));
    hn::StoreU(value, d, row + j);
    sums = hn::Add(sums, value);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; j < vocab; ++j) sum += row[j] = std::exp(row[j] - largest);
  return sum;
}

template <typename T>
LossSums smoothed_loss(const LogitRows<T>& logits, const SmoothedTarget& target, float* bias_gradient, float* row) {
  LossSums total;
  const int64_t vocab = logits.vocab;
  for (int64_t i = 0; i < logits.rows; ++i) {
    T* products = logits.products + i * vocab;
    const int64_t right = logits.targets[i];
    if (right == target.pad) {
      std::fill(products, products + vocab, T{});
      continue;
    }
    RowSums sums = read_row(products, logits.bias, vocab, row);
    const float of_right = row[right], of_pad = row[target.pad];
    sums.exp_sum = exponentiate(row, vocab, sums.largest);
    const double log_sum = static_cast<double>(sums.largest) + std::log(static_cast<double>(sums.exp_sum));
    const double right_log = of_right - log_sum, pad_log = of_pad - log_sum;
    const double others = sums.sum - log_sum * static_cast<double>(vocab) - right_log - pad_log;
    total.loss += target.constant - target.on_target * right_log - target.elsewhere * others;
    total.nll -= right_log;
    const float inverse = 1 / sums.exp_sum;
    row[right] += (target.elsewhere - target.on_target) * sums.exp_sum;
    row[target.pad] += target.elsewhere * sums.exp_sum;
    for_elements(vocab, [&](auto d, int64_t j) HWY_ATTR {
      const auto gradient = hn::Sub(hn::Mul(hn::LoadU(d, row + j), hn::Set(d, inverse)), hn::Set(d, target.elsewhere));
      store(d, gradient, products + j);
      hn::StoreU(hn::Add(hn::LoadU(d, bias_gradient + j), gradient), d, bias_gradient + j);
    });
  }
  return total;
}

LossSums smoothed_loss_float(const LogitRows<float>& logits, const SmoothedTarget& target, float* bias_gradient,
                             float* row) {
  return smoothed_loss(logits, target, bias_gradient, row);
}

LossSums smoothed_loss_bfloat16(const LogitRows<BFloat16>& logits, const SmoothedTarget& target, float* bias_gradient,
                                float* row) {
  return smoothed_loss(logits, target, bias_gradient, row);
}

}  // namespace
}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ventris::kernels {
HWY_EXPORT(smoothed_loss_float);
HWY_EXPORT(smoothed_loss_bfloat16);

template <>
SmoothedLossKernel<float> smoothed_loss_kernel() {
  return HWY_DYNAMIC_DISPATCH(smoothed_loss_float);
}

template <>
SmoothedLossKernel<BFloat16> smoothed_loss_kernel() {
  return HWY_DYNAMIC_DISPATCH(smoothed_loss_bfloat16);
}

}  // namespace ventris::kernels
#endif

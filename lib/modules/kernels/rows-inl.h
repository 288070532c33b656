// Included once for each instruction set (Highway's foreach_target), therefore without #pragma once.
#if defined(VENTRIS_KERNELS_ROWS) == defined(HWY_TARGET_TOGGLE)
#ifdef VENTRIS_KERNELS_ROWS
#undef VENTRIS_KERNELS_ROWS
#else
#define VENTRIS_KERNELS_ROWS
#endif
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/smoothed_loss.h"
#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct RowSums {
  float largest;
  float sum;  // of the logits, none of which counts as less than kLeastCountedLogit
  float exp_sum;
};

/// A NaN stays one.
HWY_INLINE float counted_logit(float logit) { return logit < kLeastCountedLogit ? kLeastCountedLogit : logit; }

/// row = products + bias. Returns its largest element and its sum.
template <typename T>
HWY_INLINE RowSums read_row(const T* products, const float* bias, int64_t vocab, float* row) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto top = hn::Set(d, -std::numeric_limits<float>::infinity()), sums = hn::Zero(d);
  int64_t j = 0;
  for (; j + lanes <= vocab; j += lanes) {
    const auto value = hn::Add(load(d, products + j), hn::LoadU(d, bias + j));
    hn::StoreU(value, d, row + j);
    top = hn::Max(top, value);
    const auto least = hn::Set(d, kLeastCountedLogit);
    sums = hn::Add(sums, hn::IfThenElse(hn::Lt(value, least), least, value));  // a NaN stays one
  }
  RowSums found{hn::GetLane(hn::MaxOfLanes(d, top)), hn::GetLane(hn::SumOfLanes(d, sums)), 0};
  const hn::CappedTag<float, 1> single;
  for (; j < vocab; ++j) {
    row[j] = hn::GetLane(load(single, products + j)) + bias[j];
    found.largest = std::max(found.largest, row[j]);
    found.sum += counted_logit(row[j]);
  }
  return found;
}

/// to = exp(row - largest), which may be in place. Returns the sum.
HWY_INLINE float exponentiate(const float* row, int64_t vocab, float largest, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto sums = hn::Zero(d);
  int64_t j = 0;
  for (; j + lanes <= vocab; j += lanes) {
    const auto value = hn::Exp(d, hn::Sub(hn::LoadU(d, row + j), hn::Set(d, largest)));
    hn::StoreU(value, d, to + j);
    sums = hn::Add(sums, value);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; j < vocab; ++j) sum += to[j] = std::exp(row[j] - largest);
  return sum;
}

}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

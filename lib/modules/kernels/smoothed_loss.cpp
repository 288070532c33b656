#include "kernels/smoothed_loss.h"

#include <algorithm>
#include <cmath>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/smoothed_loss.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

template <typename T>
float weight_of(const LogitRows<T>& logits, int64_t row) {
  return logits.weights == nullptr ? 1.0F : logits.weights[row];
}

/// Adds a row's loss, times its weight, to the sums, from the logits of the target and of padding. Returns the log of
/// the sum of exponentials.
double add_loss(float of_right, float of_pad, int64_t vocab, const RowSums& sums, const SmoothedTarget& target,
                double weight, LossSums& total) {
  const double log_sum = static_cast<double>(sums.largest) + std::log(static_cast<double>(sums.exp_sum));
  const double right_log = of_right - log_sum;
  const double right_counted = counted_logit(of_right) - log_sum, pad_counted = counted_logit(of_pad) - log_sum;
  const double others = sums.sum - log_sum * static_cast<double>(vocab) - right_counted - pad_counted;
  total.loss += weight * (target.constant - target.on_target * right_log - target.elsewhere * others);
  total.nll -= weight * right_log;
  return log_sum;
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
    sums.exp_sum = exponentiate(row, vocab, sums.largest, row);
    const float weight = weight_of(logits, i);
    add_loss(of_right, of_pad, vocab, sums, target, weight, total);
    const float inverse = weight / sums.exp_sum, elsewhere = weight * target.elsewhere;
    row[right] += (target.elsewhere - target.on_target) * sums.exp_sum;
    row[target.pad] += target.elsewhere * sums.exp_sum;
    for_elements(vocab, [&](auto d, int64_t j) HWY_ATTR {
      const auto gradient = hn::Sub(hn::Mul(hn::LoadU(d, row + j), hn::Set(d, inverse)), hn::Set(d, elsewhere));
      store(d, gradient, products + j);
      hn::StoreU(hn::Add(hn::LoadU(d, bias_gradient + j), gradient), d, bias_gradient + j);
    });
  }
  return total;
}

/// One row of a pair: its logits, their exponentials, and the sum of these.
struct PairRow {
  float *logits, *exps;
  RowSums sums;
  float log_sum, inverse;
};

template <typename T>
PairRow read_pair_row(const T* products, const float* bias, int64_t vocab, int64_t right, const SmoothedTarget& target,
                      float weight, float* memory, LossSums& total) {
  PairRow row{memory, memory + vocab, read_row(products, bias, vocab, memory), 0, 0};
  row.sums.exp_sum = exponentiate(row.logits, vocab, row.sums.largest, row.exps);
  const float of_right = row.logits[right], of_pad = row.logits[target.pad];
  row.log_sum = static_cast<float>(add_loss(of_right, of_pad, vocab, row.sums, target, weight, total));
  row.inverse = 1 / row.sums.exp_sum;
  return row;
}

/// KL(p||q) and KL(q||p). Overwrites the exponentials with probabilities, and the logits of p with log p - log q.
std::pair<float, float> divergences(const PairRow& p, const PairRow& q, int64_t vocab) {
  const hn::ScalableTag<float> whole;
  auto forward = hn::Zero(whole), backward = hn::Zero(whole);
  float forward_rest = 0, backward_rest = 0;
  const float shift = q.log_sum - p.log_sum;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  int64_t j = 0;
  for (; j + lanes <= vocab; j += lanes) {
    const auto of_p = hn::Mul(hn::LoadU(whole, p.exps + j), hn::Set(whole, p.inverse));
    const auto of_q = hn::Mul(hn::LoadU(whole, q.exps + j), hn::Set(whole, q.inverse));
    const auto apart =
        hn::Add(hn::Sub(hn::LoadU(whole, p.logits + j), hn::LoadU(whole, q.logits + j)), hn::Set(whole, shift));
    forward = hn::MulAdd(of_p, apart, forward);
    backward = hn::NegMulAdd(of_q, apart, backward);
    hn::StoreU(of_p, whole, p.exps + j);
    hn::StoreU(of_q, whole, q.exps + j);
    hn::StoreU(apart, whole, p.logits + j);
  }
  for (; j < vocab; ++j) {
    p.exps[j] *= p.inverse;
    q.exps[j] *= q.inverse;
    p.logits[j] += shift - q.logits[j];
    forward_rest += p.exps[j] * p.logits[j];
    backward_rest -= q.exps[j] * p.logits[j];
  }
  return {hn::GetLane(hn::SumOfLanes(whole, forward)) + forward_rest,
          hn::GetLane(hn::SumOfLanes(whole, backward)) + backward_rest};
}

template <typename T>
LossSums paired_loss(const LogitRows<T>& logits, const SmoothedTarget& target, float weight, float* bias_gradient,
                     float* memory) {
  LossSums total;
  const int64_t vocab = logits.vocab;
  for (int64_t i = 0; i < logits.rows; ++i) {
    T *first = logits.products + i * vocab, *second = first + logits.rows * vocab;
    const int64_t right = logits.targets[i];
    if (right == target.pad) {
      std::fill(first, first + vocab, T{});
      std::fill(second, second + vocab, T{});
      continue;
    }
    const float of_row = weight_of(logits, i);
    const PairRow p = read_pair_row(first, logits.bias, vocab, right, target, of_row, memory, total);
    const PairRow q = read_pair_row(second, logits.bias, vocab, right, target, of_row, memory + 2 * vocab, total);
    const auto [forward, backward] = divergences(p, q, vocab);
    total.loss += 0.5 * weight * of_row * (static_cast<double>(forward) + backward);
    const auto fix = [&](int64_t j, float by) {
      const hn::CappedTag<float, 1> one;
      for (T* row : {first, second}) store(one, hn::Add(load(one, row + j), hn::Set(one, by)), row + j);
      bias_gradient[j] += 2 * by;
    };
    for_elements(vocab, [&](auto d, int64_t j) HWY_ATTR {
      const auto of_p = hn::LoadU(d, p.exps + j), of_q = hn::LoadU(d, q.exps + j), apart = hn::LoadU(d, p.logits + j);
      const auto half = hn::Set(d, 0.5F * weight), elsewhere = hn::Set(d, target.elsewhere);
      const auto pull_p = hn::Add(hn::Mul(of_p, hn::Sub(apart, hn::Set(d, forward))), hn::Sub(of_p, of_q));
      const auto pull_q = hn::Sub(hn::Sub(of_q, of_p), hn::Mul(of_q, hn::Add(apart, hn::Set(d, backward))));
      const auto scale = hn::Set(d, of_row);
      const auto gradient_p = hn::Mul(scale, hn::Add(hn::Sub(of_p, elsewhere), hn::Mul(half, pull_p)));
      const auto gradient_q = hn::Mul(scale, hn::Add(hn::Sub(of_q, elsewhere), hn::Mul(half, pull_q)));
      store(d, gradient_p, first + j);
      store(d, gradient_q, second + j);
      hn::StoreU(hn::Add(hn::LoadU(d, bias_gradient + j), hn::Add(gradient_p, gradient_q)), d, bias_gradient + j);
    });
    fix(right, of_row * (target.elsewhere - target.on_target));
    fix(target.pad, of_row * target.elsewhere);
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

LossSums paired_loss_float(const LogitRows<float>& logits, const SmoothedTarget& target, float weight,
                           float* bias_gradient, float* memory) {
  return paired_loss(logits, target, weight, bias_gradient, memory);
}

LossSums paired_loss_bfloat16(const LogitRows<BFloat16>& logits, const SmoothedTarget& target, float weight,
                              float* bias_gradient, float* memory) {
  return paired_loss(logits, target, weight, bias_gradient, memory);
}

}  // namespace
}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ventris::kernels {
HWY_EXPORT(smoothed_loss_float);
HWY_EXPORT(smoothed_loss_bfloat16);
HWY_EXPORT(paired_loss_float);
HWY_EXPORT(paired_loss_bfloat16);

template <>
SmoothedLossKernel<float> smoothed_loss_kernel() {
  return HWY_DYNAMIC_DISPATCH(smoothed_loss_float);
}

template <>
SmoothedLossKernel<BFloat16> smoothed_loss_kernel() {
  return HWY_DYNAMIC_DISPATCH(smoothed_loss_bfloat16);
}

template <>
PairedLossKernel<float> paired_loss_kernel() {
  return HWY_DYNAMIC_DISPATCH(paired_loss_float);
}

template <>
PairedLossKernel<BFloat16> paired_loss_kernel() {
  return HWY_DYNAMIC_DISPATCH(paired_loss_bfloat16);
}

}  // namespace ventris::kernels
#endif

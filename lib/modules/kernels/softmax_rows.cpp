#include "kernels/softmax_rows.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

template <typename T>
void log_sums(const ProductRows<T>& in, float* row, float* found) {
  for (int64_t i = 0; i < in.rows; ++i) {
    const RowSums sums = read_row(in.products + i * in.vocab, in.bias, in.vocab, row);
    const float log_sum = sums.largest + std::log(exponentiate(row, in.vocab, sums.largest, row));
    found[i] = std::isnan(sums.sum) ? sums.sum : log_sum;  // the maximum and exponentials may lose a NaN
  }
}

template <typename T>
void largest(const ProductRows<T>& in, float* row, int64_t* found) {
  for (int64_t i = 0; i < in.rows; ++i) {
    const float most = read_row(in.products + i * in.vocab, in.bias, in.vocab, row).largest;
    const float* place = std::find(row, row + in.vocab, most);
    found[i] = place == row + in.vocab ? 0 : place - row;
  }
}

template <typename T>
void gradient(const ProductRows<T>& in, const float* log_sums, const SymbolShares& shares, float weight, float* row,
              float* bias_gradient) {
  for (int64_t i = 0; i < in.rows; ++i) {
    T* products = in.products + i * in.vocab;
    for_elements(in.vocab, [&](auto d, int64_t j) HWY_ATTR {
      const auto logit = hn::Add(load(d, products + j), hn::LoadU(d, in.bias + j));
      const auto share = hn::Exp(d, hn::Sub(logit, hn::Set(d, log_sums[i])));
      hn::StoreU(hn::Mul(share, hn::Set(d, weight)), d, row + j);
    });
    const float* wanted = shares.shares + i * shares.count;
    for (int64_t j = 0; j < shares.count; ++j) row[shares.columns[j]] -= weight * wanted[j];
    for_elements(in.vocab, [&](auto d, int64_t j) HWY_ATTR {
      const auto value = hn::LoadU(d, row + j);
      store(d, value, products + j);
      hn::StoreU(hn::Add(hn::LoadU(d, bias_gradient + j), value), d, bias_gradient + j);
    });
  }
}

SoftmaxRowsKernels<float> kernels_float() { return {log_sums<float>, largest<float>, gradient<float>}; }
SoftmaxRowsKernels<BFloat16> kernels_bfloat16() { return {log_sums<BFloat16>, largest<BFloat16>, gradient<BFloat16>}; }

}  // namespace
}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ventris::kernels {
HWY_EXPORT(kernels_float);
HWY_EXPORT(kernels_bfloat16);

template <>
const SoftmaxRowsKernels<float>& softmax_rows_kernels() {
  static const SoftmaxRowsKernels<float> kernels = HWY_DYNAMIC_DISPATCH(kernels_float)();
  return kernels;
}

template <>
const SoftmaxRowsKernels<BFloat16>& softmax_rows_kernels() {
  static const SoftmaxRowsKernels<BFloat16> kernels = HWY_DYNAMIC_DISPATCH(kernels_bfloat16)();
  return kernels;
}

}  // namespace ventris::kernels
#endif

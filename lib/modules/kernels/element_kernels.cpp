#include "kernels/element_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

template <typename From, typename To>
void drop(const From* x, To* out, int64_t first, int64_t count, const DropDraw& draw) {
  for_elements(count, [&](auto d, int64_t i) HWY_ATTR {
    store(d, hn::Mul(load(d, x + i), drop_factors(d, static_cast<uint32_t>(first + i), draw)), out + i);
  });
}

template <typename T>
void add_dropped(const float* x, const T* y, float* out, int64_t first, int64_t count, const DropDraw& draw) {
  for_elements(count, [&](auto d, int64_t i) HWY_ATTR {
    const auto factors = drop_factors(d, static_cast<uint32_t>(first + i), draw);
    store(d, hn::Add(hn::Mul(load(d, y + i), factors), load(d, x + i)), out + i);
  });
}

template <typename T>
void relu_dropped(const T* x, T* out, int64_t first, int64_t count, const DropDraw& draw) {
  for_elements(count, [&](auto d, int64_t i) HWY_ATTR {
    const auto value = load(d, x + i);
    const auto positive = hn::IfThenZeroElse(hn::Lt(value, hn::Zero(d)), value);  // NaN stays NaN
    store(d, hn::Mul(positive, drop_factors(d, static_cast<uint32_t>(first + i), draw)), out + i);
  });
}

template <typename T>
void relu_dropped_gradient(const T* gradient, const T* result, T* out, int64_t count, float scale) {
  for_elements(count, [&](auto d, int64_t i) HWY_ATTR {
    const auto kept = hn::Ne(load(d, result + i), hn::Zero(d));
    store(d, hn::IfThenElseZero(kept, hn::Mul(load(d, gradient + i), hn::Set(d, scale))), out + i);
  });
}

template <typename T>
void accumulate(const T* x, float* sum, int64_t count) {
  for_elements(count,
               [&](auto d, int64_t i) HWY_ATTR { store(d, hn::Add(load(d, sum + i), load(d, x + i)), sum + i); });
}

template <typename T>
void add_rows(const T* x, float* sum, int64_t rows, int64_t width) {
  for (int64_t i = 0; i < rows; ++i) accumulate(x + i * width, sum, width);
}

template <typename T>
ElementKernels<T> kernels_of() {
  return {drop<T, T>,    add_dropped<T>, drop<float, T>, relu_dropped<T>, relu_dropped_gradient<T>,
          accumulate<T>, add_rows<T>};
}

ElementKernels<float> element_kernels_float() { return kernels_of<float>(); }
ElementKernels<BFloat16> element_kernels_bfloat16() { return kernels_of<BFloat16>(); }

}  // namespace
}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ventris::kernels {
HWY_EXPORT(element_kernels_float);
HWY_EXPORT(element_kernels_bfloat16);

template <>
const ElementKernels<float>& element_kernels() {
  static const ElementKernels<float> kernels = HWY_DYNAMIC_DISPATCH(element_kernels_float)();
  return kernels;
}

template <>
const ElementKernels<BFloat16>& element_kernels() {
  static const ElementKernels<BFloat16> kernels = HWY_DYNAMIC_DISPATCH(element_kernels_bfloat16)();
  return kernels;
}

}  // namespace ventris::kernels
#endif

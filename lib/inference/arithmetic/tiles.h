#pragma once

/// For functions of kernels-inl.h: they must be compiled into their callers, which are for one instruction set.
#define ARITHMETIC_INLINE inline __attribute__((always_inline))
#define ARITHMETIC_LAMBDA __attribute__((always_inline))

/// What stands between these two is compiled for the given instruction set.
#define ARITHMETIC_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define ARITHMETIC_BEGIN_TARGET(set) \
  ARITHMETIC_PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define ARITHMETIC_END_TARGET ARITHMETIC_PRAGMA(clang attribute pop)
#else
#define ARITHMETIC_BEGIN_TARGET(set) ARITHMETIC_PRAGMA(GCC push_options) ARITHMETIC_PRAGMA(GCC target set)
#define ARITHMETIC_END_TARGET ARITHMETIC_PRAGMA(GCC pop_options)
#endif

namespace ventris::arithmetic {

/// A number as a type, for the shapes of tiles.
template <int kNumber>
struct Number {
  static constexpr int kValue = kNumber;
};

/// A tile of a product: the rows and panels whose sums are in registers at the same time. With few rows, more panels.
template <int kRowsAtOnce, int kPanelsAtOnce, int kFew, int kPanelsWithFew>
struct TileShape {
  static constexpr int kRows = kRowsAtOnce, kPanels = kPanelsAtOnce, kFewRows = kFew, kPanelsOfFew = kPanelsWithFew;
};

}  // namespace ventris::arithmetic

#pragma once

/// For functions of kernels-inl.h: they must be compiled into their callers, which are for one instruction set.
#define ENGINE_INLINE inline __attribute__((always_inline))
#define ENGINE_LAMBDA __attribute__((always_inline))

/// What stands between these two is compiled for the given instruction set.
#define ENGINE_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define ENGINE_BEGIN_TARGET(set) ENGINE_PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define ENGINE_END_TARGET ENGINE_PRAGMA(clang attribute pop)
#else
#define ENGINE_BEGIN_TARGET(set) ENGINE_PRAGMA(GCC push_options) ENGINE_PRAGMA(GCC target set)
#define ENGINE_END_TARGET ENGINE_PRAGMA(GCC pop_options)
#endif

namespace ventris::engine {

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

}  // namespace ventris::engine

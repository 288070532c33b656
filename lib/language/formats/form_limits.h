#pragma once
#include <cstddef>

/// What a message may become if each of its forms gets the words around it. A message over one of these limits stays as
/// it is.
namespace ventris::formats {

inline constexpr size_t kMostForms = 64;
inline constexpr int kDeepestForms = 20;  ///< forms in forms

/// The bytes of all forms together.
constexpr size_t most_bytes_of_forms(size_t message) {
  constexpr size_t kTimes = 8, kAdded = 2000;
  return kTimes * message + kAdded;
}

}  // namespace ventris::formats

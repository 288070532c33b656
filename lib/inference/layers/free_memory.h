#pragma once

namespace ventris::layers {

/// Replaces each of these by an empty one. (An assignment of {} would leave a std::vector its memory.)
template <typename... T>
void free_memory(T&... things) {
  ((things = T()), ...);
}

}  // namespace ventris::layers

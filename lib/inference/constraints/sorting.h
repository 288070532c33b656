#pragma once
#include <algorithm>
#include <vector>

namespace ventris::constraints {

/// Sorts, and keeps one of those that are equal.
template <typename Thing>
void sort_once(std::vector<Thing>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

}  // namespace ventris::constraints

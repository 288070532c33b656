#include "core/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ventris::core {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> choices) {
  const std::string* best = nullptr;
  size_t best_distance = word.size() / 3 + 2;
  for (const std::string& choice : choices) {
    const size_t distance = edit_distance(word, choice);
    if (distance < best_distance) {
      best_distance = distance;
      best = &choice;
    }
  }
  return best != nullptr ? *best : "";
}

std::string did_you_mean(std::string_view word, std::span<const std::string> choices) {
  const std::string choice = nearest(word, choices);
  return choice.empty() ? "" : " (did you mean '" + choice + "'?)";
}

}  // namespace ventris::core

#include "core/suggest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ventris::core {
namespace {

constexpr size_t kLeastOfPrefix = 2;  // letters

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last, row(b.size() + 1);  // before: two rows ago
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// The letters after the dashes of a flag.
size_t letters(std::string_view word) { return word.size() - std::min(word.find_first_not_of('-'), word.size()); }

/// The shortest choice that begins with `word`; empty = none.
std::string completed(std::string_view word, std::span<const std::string> choices) {
  std::string best;
  if (letters(word) < kLeastOfPrefix) return best;
  for (const std::string& choice : choices) {
    if (choice.starts_with(word) && (best.empty() || choice.size() < best.size())) best = choice;
  }
  return best;
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> choices) {
  std::string best = completed(word, choices);
  if (!best.empty()) return best;
  size_t best_distance = letters(word) / 3 + 2;
  for (const std::string& choice : choices) {
    const auto [shorter, longer] = std::minmax({word.size(), choice.size()});
    if (longer - shorter > best_distance) continue;  // the distance is at least this difference
    const size_t distance = edit_distance(word, choice);
    const bool as_near =
        distance == best_distance && !best.empty() && common_beginning(word, choice) > common_beginning(word, best);
    if (distance >= best_distance && !as_near) continue;
    best_distance = distance;
    best = choice;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> choices) {
  const std::string choice = nearest(word, choices);
  return choice.empty() ? "" : " (did you mean '" + choice + "'?)";
}

}  // namespace ventris::core

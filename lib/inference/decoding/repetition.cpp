#include "decoding/repetition.h"

#include <algorithm>
#include <limits>

namespace ventris::decoding {
namespace {

constexpr float kForbidden = std::numeric_limits<float>::infinity();
constexpr size_t kFewestCopies = 3, kFewestTokens = 6;

/// Tokens that would complete an n-gram for the second time.
std::vector<int32_t> completions(std::span<const int32_t> target, size_t order) {
  std::vector<int32_t> ids;
  if (order == 0 || target.size() < order) return ids;
  const auto context = target.last(order - 1);
  for (size_t begin = 0; begin + order <= target.size(); ++begin) {
    const auto earlier = target.subspan(begin, order - 1);
    if (std::equal(context.begin(), context.end(), earlier.begin())) ids.push_back(target[begin + order - 1]);
  }
  return ids;
}

}  // namespace

std::vector<Penalty> repetition_penalties(std::span<const int32_t> target, const RepetitionOptions& options,
                                          std::span<const int32_t> forbidden) {
  std::vector<Penalty> all;
  for (const int32_t id : forbidden) all.push_back({0, id, kForbidden});
  for (const int32_t id : completions(target, static_cast<size_t>(options.no_repeat_ngram))) {
    all.push_back({0, id, kForbidden});
  }
  if (options.penalty != 1.0) {
    for (const int32_t id : target) all.push_back({0, id, static_cast<float>(options.penalty)});
  }
  std::sort(all.begin(), all.end(), [](const Penalty& a, const Penalty& b) {
    return a.id != b.id ? a.id < b.id : a.factor > b.factor;  // the largest factor is kept
  });
  const auto same = [](const Penalty& a, const Penalty& b) { return a.id == b.id; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

float factor_of(std::span<const Penalty> penalties, int32_t id) {
  const auto found = std::lower_bound(penalties.begin(), penalties.end(), id,
                                      [](const Penalty& penalty, int32_t wanted) { return penalty.id < wanted; });
  return found != penalties.end() && found->id == id ? found->factor : 1.0F;
}

bool is_repetitive(std::span<const int32_t> ids) {
  for (size_t period = 1; kFewestCopies * period <= ids.size(); ++period) {
    size_t equal = 0;  // consecutive tokens that equal the token one period before
    for (size_t i = period; i < ids.size(); ++i) {
      equal = ids[i] == ids[i - period] ? equal + 1 : 0;
      if (equal >= (kFewestCopies - 1) * period && equal + period >= kFewestTokens) return true;
    }
  }
  return false;
}

}  // namespace ventris::decoding

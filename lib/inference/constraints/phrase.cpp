#include "constraints/phrase.h"

#include <stdexcept>
#include <utility>

namespace ventris::constraints {

Phrase::Phrase(PhraseGraph graph)
    : graph_(std::move(graph)), remaining_(graph_.edges.size() + 1, kNever), next_(graph_.edges.size() + 1, -1) {
  remaining_.back() = 0;
  std::vector<int32_t> usual(graph_.edges.size() + 1, -1);  // the token of the usual segmentation at each place
  int32_t place = 0;
  for (const int32_t id : graph_.usual) {
    if (place == end()) throw std::invalid_argument("Phrase: the usual segmentation goes beyond the end");
    usual[static_cast<size_t>(place)] = id;
    place = after(place, id);
    if (place < 0) throw std::invalid_argument("Phrase: the usual segmentation is no path");
  }
  if (place != end() || place == 0)
    throw std::invalid_argument("Phrase: the usual segmentation does not reach the end");
  for (size_t at = graph_.edges.size(); at-- > 0;) {
    for (const auto& [id, to] : graph_.edges[at]) {
      if (to <= static_cast<int32_t>(at) || to > end()) throw std::invalid_argument("Phrase: an edge leads back");
      const int32_t needed = remaining_[static_cast<size_t>(to)] + 1;
      const bool better = usual[at] >= 0 ? id == usual[at] : needed < remaining_[at];
      if (!better) continue;
      remaining_[at] = needed;
      next_[at] = id;
    }
  }
}

int32_t Phrase::after(int32_t place, int32_t id) const {
  for (const auto& [of_edge, to] : graph_.edges[static_cast<size_t>(place)]) {
    if (of_edge == id) return to;
  }
  return -1;
}

}  // namespace ventris::constraints

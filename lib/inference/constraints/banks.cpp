#include "constraints/banks.h"

#include <algorithm>

namespace ventris::constraints {

std::vector<size_t> share_places(size_t places, std::span<const size_t> hypotheses) {
  std::vector<size_t> shares(hypotheses.size());
  if (shares.empty()) return shares;
  const size_t equal = places / shares.size();
  size_t left = places;
  for (size_t i = 0; i < shares.size(); ++i) {
    const size_t own = i + 1 == shares.size() ? places - equal * i : equal;
    shares[i] = std::min(own, hypotheses[i]);
    left -= shares[i];
  }
  for (size_t i = shares.size(); i-- > 0;) {
    const size_t more = std::min(left, hypotheses[i] - shares[i]);
    shares[i] += more;
    left -= more;
  }
  return shares;
}

}  // namespace ventris::constraints

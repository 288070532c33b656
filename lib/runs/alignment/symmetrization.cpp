#include "alignment/symmetrization.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace ventris::alignment {
namespace {

Links intersection_of(const Links& a, const Links& b) {
  Links both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

Links union_of(const Links& a, const Links& b) {
  Links either;
  std::ranges::set_union(a, b, std::back_inserter(either));
  return either;
}

/// Links to which more are added.
class Growing {
 public:
  explicit Growing(const Links& start) {
    for (const Link link : start) add(link);
  }

  /// Adds links of `candidates` that are beside a link, also diagonally, and have a word without a link.
  void grow(const Links& candidates) {
    const std::set<Link> allowed(candidates.begin(), candidates.end());
    for (bool grown = true; grown;) {
      grown = false;
      for (const Link link : Links(links_.begin(), links_.end())) {
        for (const auto& [source, target] : kNeighbours) {
          const Link next{link.source + source, link.target + target};
          if (!allowed.contains(next) || links_.contains(next) || (has_source(next) && has_target(next))) continue;
          add(next);
          grown = true;
        }
      }
    }
  }

  /// Adds links whose words both have none.
  void add_of_free_words(const Links& candidates) {
    for (const Link link : candidates) {
      if (!has_source(link) && !has_target(link)) add(link);
    }
  }

  Links links() const { return {links_.begin(), links_.end()}; }

 private:
  static constexpr std::array<std::pair<int32_t, int32_t>, 8> kNeighbours{
      {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

  void add(Link link) {
    links_.insert(link);
    sources_.insert(link.source);
    targets_.insert(link.target);
  }
  bool has_source(Link link) const { return sources_.contains(link.source); }
  bool has_target(Link link) const { return targets_.contains(link.target); }

  std::set<Link> links_;
  std::set<int32_t> sources_, targets_;  // words with a link
};

}  // namespace

const core::Choices<Symmetrization>& symmetrizations() {
  static const core::Choices<Symmetrization> kChoices{{"grow-diag-final-and", Symmetrization::kGrowDiagFinalAnd},
                                                      {"grow-diag", Symmetrization::kGrowDiag},
                                                      {"intersection", Symmetrization::kIntersection},
                                                      {"union", Symmetrization::kUnion},
                                                      {"forward", Symmetrization::kForward},
                                                      {"backward", Symmetrization::kBackward}};
  return kChoices;
}

Links symmetrize(const Links& forward, const Links& backward, Symmetrization how) {
  if (how == Symmetrization::kForward) return forward;
  if (how == Symmetrization::kBackward) return backward;
  if (how == Symmetrization::kUnion) return union_of(forward, backward);
  const Links both = intersection_of(forward, backward);
  if (how == Symmetrization::kIntersection) return both;
  Growing growing(both);
  growing.grow(union_of(forward, backward));
  if (how == Symmetrization::kGrowDiagFinalAnd) {
    growing.add_of_free_words(forward);
    growing.add_of_free_words(backward);
  }
  return growing.links();
}

}  // namespace ventris::alignment

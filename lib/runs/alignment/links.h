#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

/// Word alignments of parallel text: estimated from the text itself, without a translation model.
namespace ventris::alignment {

/// A source word and a target word that translate each other; both are numbered from 0 in their lines.
struct Link {
  int32_t source = 0;
  int32_t target = 0;
  auto operator<=>(const Link&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

using Links = std::vector<Link>;  ///< ascending by source, then target; none twice

/// "0-0 1-2": links in Pharaoh format.
std::string format_links(const Links& links);

/// "0.98 0.514": numbers in [0, 1] with at most three digits after the point.
std::string format_probabilities(const std::vector<float>& probabilities);

}  // namespace ventris::alignment

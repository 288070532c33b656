#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Links between the words of a sentence and those of its translation, in Pharaoh format: "0-0 1-2".
namespace ventris::text {

/// No text has more words, and sums of two numbers of words do not overflow.
inline constexpr int32_t kMostWordNumber = 1 << 28;

/// A source word and a target word that translate each other; both are numbered from 0 in their lines.
struct Link {
  int32_t source = 0;
  int32_t target = 0;
  auto operator<=>(const Link&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

using Links = std::vector<Link>;  ///< ascending by source, then target; none twice

/// "0-0 1-2".
std::string format_links(const Links& links);

/// The links of such a line, in any order and with any white space between them; nullopt if it is something else.
std::optional<Links> parse_links(std::string_view line);

}  // namespace ventris::text

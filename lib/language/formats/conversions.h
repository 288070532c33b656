#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::formats {

/// The conversions of printf in a text that take the next argument, in their order: "%s", "%-5.2f"; not "%%", "%1$s"
/// and
/// "%(name)s".
std::vector<std::string> conversions_in(std::string_view text);

/// `translation` with numbers ("%2$s") if its conversions are those of the source in another order, and as it is if
/// they are in the same order. Nothing if they are not those of the source, or cannot be numbered.
std::optional<std::string> with_numbered_conversions(std::string_view source, std::string_view translation);

}  // namespace ventris::formats

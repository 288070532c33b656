#pragma once
#include <string_view>

/// How Angular names the tags inside of its messages, in XLIFF and JSON: START_LINK_1, CLOSE_LINK, LINE_BREAK.
namespace ventris::markup {

/// What begins the name of a start tag and of an end tag.
inline constexpr std::string_view kAngularStart = "START_", kAngularEnd = "CLOSE_";

/// The name without these and without its number: "LINK" of "START_LINK_1".
std::string_view angular_name(std::string_view tag);

/// Whether the tag is that of a block of HTML, or a line break: "START_PARAGRAPH", "LINE_BREAK", "CLOSE_TAG_DIV".
bool is_angular_block(std::string_view tag);

/// Whether the words between such tags are no text, but code or the name of an icon: "TAG_CODE", "TAG_MAT_ICON".
/// `name`: angular_name().
bool is_angular_code(std::string_view name);

}  // namespace ventris::markup

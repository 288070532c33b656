#pragma once
#include <string_view>

namespace ventris::markup {

/// Whether it is the name of a file with a known ending and perhaps its path: "images/logo.png".
bool is_file_name(std::string_view text);

/// Whether a text is only a name that programs read: of a file ("images/logo.png"), a page ("/about", "/faq#top", not
/// "/month"), a version ("v1.2.3"), a length or function of CSS ("10px", "rgba(0, 0, 0, 0.5)"), an icon ("fa-user"), an
/// option
/// ("--all"), a path of Windows, an encoding ("UTF-8"), a data source ("jdbc:..."), or a name of a program ("userName",
/// "user_name", "USER_NAME", "user.created"). Words with hyphens are none.
bool is_technical_name(std::string_view text);

}  // namespace ventris::markup

#pragma once
#include <string>

namespace ventris::serving {

/// The page for people, a whole HTML document: page.html, which is compiled into the program.
std::string web_page();

}  // namespace ventris::serving

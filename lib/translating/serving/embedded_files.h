#pragma once
#include <string>

/// Files that are compiled into the program.
namespace ventris::serving {

/// The page for people, a whole HTML document: page.html.
std::string web_page();

/// The description of the paths in the format of OpenAPI: openapi.json.
std::string openapi();

}  // namespace ventris::serving

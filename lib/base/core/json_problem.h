#pragma once
#include <exception>
#include <string>

namespace ventris::core {

/// What an exception of nlohmann::json says, without the name of its class and without the place, which our messages
/// have in their own words: "syntax error while parsing value - unexpected '}'; expected ...".
std::string json_problem(const std::exception& error);

}  // namespace ventris::core

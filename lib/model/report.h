#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::model {

/// What inspect() found as lines for people; `tensors`: also a line for every tensor. Control characters are escaped.
std::string to_text(const nlohmann::ordered_json& report, bool tensors);

}  // namespace ventris::model

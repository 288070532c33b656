#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::model {

/// What inspect() found as lines for people; `tensors`: also a line for every tensor. Names and values have been
/// through core::printable.
std::string to_text(const nlohmann::ordered_json& report, bool tensors);

}  // namespace ventris::model

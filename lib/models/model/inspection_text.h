#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::model {

/// The result of inspect() as readable text; with `tensors`, also one line per tensor. Names and values are escaped by
/// core::printable.
std::string to_text(const nlohmann::ordered_json& report, bool tensors);

}  // namespace ventris::model

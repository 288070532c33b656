#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::doctor {

/// The result of diagnose() as readable text, with the warnings last.
std::string doctor_text(const nlohmann::ordered_json& report);

}  // namespace ventris::doctor

#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::doctor {

/// What diagnose() found as lines for people, the warnings last.
std::string doctor_text(const nlohmann::ordered_json& report);

}  // namespace ventris::doctor

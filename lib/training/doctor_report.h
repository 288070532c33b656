#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::training {

/// What diagnose() found as lines for people, the warnings last.
std::string doctor_text(const nlohmann::ordered_json& report);

}  // namespace ventris::training

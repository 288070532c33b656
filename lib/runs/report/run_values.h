#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/run_data.h"

/// The values of a run as texts for a page. A missing value is a dash.
namespace ventris::report {

inline constexpr const char* kDash = "\u2013";

/// The newest line of a kind ("train", "valid", "averaged"); null if there is none.
const nlohmann::json* last_of(const RunData& run, const char* kind);

/// The validation of the model in best/; null if there is none.
const nlohmann::json* best_of(const RunData& run);

/// The names of the further validation corpora.
std::vector<std::string> further_corpora(const RunData& run);

/// What a validation measured on a further corpus; null if it did not measure this one.
const nlohmann::json& of_further_corpus(const nlohmann::json& line, const std::string& name);

/// The number under a key; NaN if there is none.
double number_or_nan(const nlohmann::json& object, std::string_view key);

/// "0.123" for three digits.
std::string fixed(const nlohmann::json& line, std::string_view key, int digits);

/// "1,234"
std::string count(const nlohmann::json& line, std::string_view key);

/// A value at the end of a run, such as its best BLEU.
struct FinalValue {
  std::string label, text;
  double value = 0;  ///< NaN if there is none
  int better = 0;    ///< 1: higher is better; -1: lower is better; 0: neither
};

/// What a run has reached, in the order of the page. Values that the run does not have are left out.
std::vector<FinalValue> final_values(const RunData& run);

/// Names such as "schedule.warmup_updates" with their values, for all settings within `settings`.
std::vector<std::pair<std::string, std::string>> flat_settings(const nlohmann::json& settings);

/// A text of the model or the user; `if_empty` for an empty one.
std::string shown(const std::string& text, const char* if_empty);

}  // namespace ventris::report

#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "filters/settings.h"

/// What a translation was begun with, so that another run can go on with it.
namespace ventris::filters {

/// Whether a run with these settings can be gone on with: from an input that can be read again, to a file, line by
/// line.
bool can_be_resumed(const TranslateSettings& settings);

/// Everything that decides the output: the version of the program, sizes and checksums of the input, of the models and
/// of the other files that are read, and the settings. One member for each, with a text or a value to show. Throws
/// DataError if a file cannot be read.
nlohmann::ordered_json record_of(const TranslateSettings& settings);

/// The name of the file with the record of this partial output (files/partial.h).
std::string record_name(const std::string& partial);

/// The member of a record with the lines that are finished (FinishedInput), which is not compared.
inline constexpr const char* kFinishedInput = "finished input";

/// Whether nothing but the input and the prefixes that belong to it differs.
bool differs_only_in_input(const nlohmann::ordered_json& before, const nlohmann::ordered_json& now);

/// "another beam_size (5 at the start, now 4)": the first difference; empty if there is none.
std::string difference(const nlohmann::ordered_json& before, const nlohmann::ordered_json& now);

}  // namespace ventris::filters

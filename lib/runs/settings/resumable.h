#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ventris::settings {

/// Whether a setting may change while a run is stopped.
enum class OnResume {
  kKept,   ///< it must stay the same
  kMoved,  ///< it may be another path if the content there is the same
  kFree    ///< it may change
};

/// `path` as in messages: "training.after", "data.corpora[].tag".
OnResume on_resume(const std::string& path);

/// One word for docs/settings.md.
std::string name_of(OnResume change);

/// Compares the settings of a run that will be resumed with those it was begun with. Throws ConfigError with the first
/// setting that differs and both values. Length, frequencies, patience, max_bad_updates, reports, which models are kept
/// and averaged, batches of the validation, paths, device and thread count may change.
/// Returns one text for each of these that did, with both values.
std::vector<std::string> check_resumable(const nlohmann::json& begun, const nlohmann::json& now);

}  // namespace ventris::settings

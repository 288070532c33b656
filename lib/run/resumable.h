#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ventris::run {

/// What may become of a setting while a run is stopped.
enum class OnResume {
  kKept,   ///< it stays as it is
  kMoved,  ///< it may name another place, if what lies there is the same
  kFree    ///< it may change
};

/// `path` as in messages: "training.after", "data.corpora[].tag".
OnResume on_resume(const std::string& path);

/// One word for docs/settings.md.
std::string name_of(OnResume change);

/// Throws ConfigError naming the first setting (both values) in which a run that is to go on differs from how it was
/// begun. Length, frequencies, patience, max_bad_updates, reports, what is kept and averaged, the validation's batches,
/// paths, device and thread count may change: returns
/// a text for each of those that did, with both values.
std::vector<std::string> check_resumable(const nlohmann::json& begun, const nlohmann::json& now);

}  // namespace ventris::run

#pragma once
#include <functional>
#include <string>

namespace ventris::imports {

/// Damages a file of the folder in many ways, one at a time, in a copy of the folder, and calls `import` with the copy.
/// Expects that it returns or throws ModelError or ConfigError. VENTRIS_MUTANTS sets how many copies are tried,
/// VENTRIS_FIRST_MUTANT the first one; the same number always gives the same damage.
void check_damaged_folders(const std::string& original, const std::function<void(const std::string& folder)>& import);

/// The same, but damages the pickle in the only .pt or .ckpt file of the folder, and puts it into a zip file that is
/// whole.
void check_damaged_pickles(const std::string& original, const std::function<void(const std::string& folder)>& import);

}  // namespace ventris::imports

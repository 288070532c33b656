#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace ventris::imports {

/// Damages a file of the folder in many ways, one at a time, in a copy of the folder, and calls `import` with the copy.
/// Expects that it returns or throws ModelError or ConfigError. It tries as many copies as `mutants`, or
/// VENTRIS_MUTANTS; VENTRIS_FIRST_MUTANT is the first one. The same number always gives the same damage.
void check_damaged_folders(const std::string& original, const std::function<void(const std::string& folder)>& import,
                           uint32_t mutants = 400);

/// The same, but damages the pickle in the only .pt or .ckpt file of the folder, and puts it into a zip file that is
/// whole.
void check_damaged_pickles(const std::string& original, const std::function<void(const std::string& folder)>& import,
                           uint32_t mutants);

}  // namespace ventris::imports

#pragma once
#include <string>
#include <vector>

#include "exports/marian_parameters.h"

namespace ventris::exports {

/// A .bin file of Bergamot's Marian with matrices and tables in 8 bits (intgemm8: one scale for each), vectors in f32,
/// and the settings (YAML). Inner widths must be multiples of 64, and outer ones of 8.
std::string bergamot_file(const std::vector<MarianParameter>& parameters, const std::string& settings);

}  // namespace ventris::exports

#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "architecture/transformer_options.h"
#include "model/package.h"

namespace ventris::exports {

/// A program that runs Transformers, and what it can compute besides the defaults: for a setting with a closed set of
/// values, the values that it also has.
struct OtherProgram {
  std::string name;
  std::map<std::string, nlohmann::json> has;  ///< key -> list of values
  std::set<std::string> by_side = {};  ///< which of decoder_heads and decoder_d_ff it has
};

/// The settings of a Transformer for a program. The width of a head must be d_model / heads, however it is given.
/// Throws ModelError, naming the first setting that the program does not have, or the family if the model is no
/// Transformer.
const architecture::TransformerOptions& transformer_for(const OtherProgram& program, const model::Package& package);

}  // namespace ventris::exports

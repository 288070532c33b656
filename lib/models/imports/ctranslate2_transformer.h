#pragma once
#include <optional>
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "imports/bundle_weights.h"
#include "imports/ctranslate2_variables.h"
#include "imports/vocabulary.h"

/// The Transformer in model.bin of CTranslate2.
namespace ventris::imports {

/// Its settings, but for those of vocabularies, tying and positions. `epsilon` is that of config.json. Throws
/// ModelError for a setting or a part, by its name, that a model of ours cannot have.
architecture::TransformerOptions ctranslate2_options(const CTranslate2Variables& variables,
                                                     std::optional<double> epsilon);

/// Takes all variables. Sets the settings that ctranslate2_options() leaves out, except for the vocabularies, and says
/// in `notes` what was assumed. `weights` must have been made with `options`. Throws ModelError.
void take_ctranslate2(const CTranslate2Variables& variables, const Sides& sides,
                      architecture::TransformerOptions& options, BundleWeights& weights,
                      std::vector<std::string>& notes);

}  // namespace ventris::imports

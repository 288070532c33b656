#pragma once
#include <string>
#include <vector>

#include "imports/imported.h"

namespace ventris::imports {

/// Tests of an imported model against the expected.json of a script with toolkit_models.py. `folder`: that of data/.
/// Every function expects with GoogleTest.

/// The tokenizers divide the texts into the tokens of the toolkit.
void check_tokens(const Imported& imported, const std::string& folder);
/// The states of the encoder for the first and the last token of each source differ by at most 1e-4.
void check_states(const Imported& imported, const std::string& folder);
/// So do the log-probabilities of all target tokens.
void check_log_probs(const Imported& imported, const std::string& folder);
/// Greedy search and a beam of 4 write the same tokens.
void check_searches(const Imported& imported, const std::string& folder);
/// The bundle can be written and opened.
void check_bundle(const Imported& imported);

/// The options of the Transformer.
const architecture::TransformerOptions& transformer_in(const Imported& imported);

std::string toolkit_data(const std::string& name);

}  // namespace ventris::imports

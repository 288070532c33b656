#pragma once
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "imports/imported.h"
#include "support/temp_folder.h"

namespace ventris::imports {

/// Tests of an imported model against the expected.json of a script with toolkit_models.py. `folder`: that of data/.
/// Every function expects with GoogleTest.

/// The tokenizers divide the texts into the tokens of the toolkit.
void check_tokens(const Imported& imported, const std::string& folder);
/// The states of the encoder for the first and the last token of each source differ by at most 5e-5.
void check_states(const Imported& imported, const std::string& folder);
/// So do the log-probabilities of all target tokens.
void check_log_probs(const Imported& imported, const std::string& folder);
/// Greedy search and a beam of 4 write the same tokens.
void check_searches(const Imported& imported, const std::string& folder);
/// The bundle can be written and opened.
void check_bundle(const Imported& imported);

/// The options of the Transformer.
const architecture::TransformerOptions& transformer_in(const Imported& imported);

/// Writes a copy of a file of torch.save in which a part of the pickle is replaced by another, at the first place.
/// Returns its path.
std::string changed_zip(const test::TempFolder& folder, const std::string& path, const std::string& old_part,
                        const std::string& new_part);

/// The same, but gives the setting `key` another value, the instruction of a pickle: "K\2" for 2, "\x88" for true.
std::string changed_value(const test::TempFolder& folder, const std::string& path, const std::string& key,
                          const std::string& value);

/// The instruction of a pickle for a short text.
std::string pickled_text(const std::string& text);

std::string toolkit_data(const std::string& name);

}  // namespace ventris::imports

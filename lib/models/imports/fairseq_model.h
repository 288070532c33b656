#pragma once
#include <string>
#include <vector>

#include "imports/imported.h"
#include "imports/token_lists.h"

namespace ventris::imports {

/// Whether a file is a checkpoint of fairseq.
bool is_fairseq(const std::string& path);

/// A Transformer of fairseq that translates: a checkpoint (.pt), and its two dictionaries, which are those that were
/// given, or dict.LANGUAGE.txt next to it. Throws ModelError with the setting or the tensor for what a model of ours
/// cannot be, and ConfigError if a dictionary or a tokenizer is missing.
Imported from_fairseq(const std::string& path, const ToolkitFiles& files);

/// The tokens of a dictionary of fairseq, lines "TOKEN COUNT", after the four special ones. Throws ModelError with the
/// line.
std::vector<std::string> parse_fairseq_dictionary(const std::string& text, const std::string& where);

}  // namespace ventris::imports

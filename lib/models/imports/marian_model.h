#pragma once
#include <string>

#include "imports/imported.h"
#include "imports/marian_vocabulary.h"

namespace ventris::imports {

/// Whether it is a model of Marian or Bergamot (.npz or .bin). Throws nothing.
bool is_marian_file(const std::string& path);

/// Reads a Transformer of Marian or Bergamot, whose settings are in the file. Throws ModelError for a file that is
/// damaged, or has a model that is none of ours, with the setting or tensor; as read_marian_vocabularies(). `shortlist`
/// is a binary shortlist (lex.s2t.bin), which becomes Imported::lexicon; empty = none.
Imported from_marian_file(const std::string& path, const MarianVocabularyFiles& files,
                          const std::string& shortlist = "");

}  // namespace ventris::imports

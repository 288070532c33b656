#pragma once
#include <string>
#include <string_view>

#include "imports/vocabulary.h"
#include "model/lexicon.h"
#include "model/package.h"

namespace ventris::imports {

/// The lexicon for `package` of a binary shortlist of Bergamot (lex.s2t.bin). A shortlist has the words of each list in
/// the order of their rows, not of their probability. `sides` are the vocabularies of the model; `where` names the file
/// in messages. Throws ModelError for a file that is damaged, or of another model.
model::Lexicon read_marian_shortlist(std::string_view bytes, const std::string& where, const Sides& sides,
                                     const model::Package& package);

}  // namespace ventris::imports

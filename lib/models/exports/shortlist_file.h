#pragma once
#include <cstdint>
#include <string>

#include "model/lexicon.h"

namespace ventris::exports {

/// How much of a lexicon a shortlist gets.
struct ShortlistSizes {
  int64_t first = 1000;  ///< the most frequent target ids, which every sentence may use, at least 0
  int64_t best = 50;     ///< target ids of each source id, from 1 to model::Lexicon::kMostPieces
};

/// What a folder gets a shortlist of.
struct ShortlistOf {
  const model::Lexicon* lexicon = nullptr;  ///< null = no shortlist
  ShortlistSizes sizes = {};
};

/// A binary shortlist (lex.s2t.bin) of Marian and Bergamot, for a model whose vocabularies have the order of
/// marian_order() with this `multiple`. Frequent ids that are not the first rows of the vocabulary become translations
/// of </s>, which every source has, in the place of its own; there are at most model::Lexicon::kMostPieces of them.
std::string marian_shortlist(const model::Lexicon& lexicon, const ShortlistSizes& sizes, int64_t multiple);

}  // namespace ventris::exports

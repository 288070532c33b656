#pragma once
#include "filters/settings.h"

/// What settings of ventris-translate cannot have together. All throw ConfigError.
namespace ventris::filters {

/// The shape of a distribution without sampling from it.
void check_sampling(const decoding::Sampling& sampling);

/// Limits without a shortlist.
void check_shortlist(const translation::ShortlistSettings& shortlist);

/// Everything else, before the format of the output is chosen.
void check_combinations(const TranslateSettings& settings);

/// A document in lines that would have to be written as one line.
void check_document_lines(const TranslateSettings& settings);

}  // namespace ventris::filters

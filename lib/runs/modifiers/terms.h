#pragma once
#include "modifiers/modifier.h"
#include "modifiers/term_forms.h"

namespace ventris::modifiers {

/// The pair with the translations of 1 to `most` terms in its source (text/term_marks.h), so that a model learns to use
/// translations that it is given (Dinu et al. 2019, arXiv:1906.01105, as text instead of factors). A term has one to
/// three words, and its words are linked to words of its translation only, and these to them. The target stays. With
/// `forms`, half of the terms of one word get a translation in a form that the corpus has, often another than that of
/// the target, so that the model learns to inflect. The result has the links of all words. Without linked words, or if
/// the pair has one of the marks already, it is returned as it is.
TextPair with_terms(const TextPair& pair, size_t most, Draws& draws, metrics::Division division,
                    const TermForms* forms = nullptr);

}  // namespace ventris::modifiers

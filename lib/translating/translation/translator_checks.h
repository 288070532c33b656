#pragma once
#include <cstdint>
#include <string>

#include "architecture/architecture.h"
#include "model/package.h"
#include "text/tokenizer.h"
#include "translation/translator.h"

/// Whether the options of a translator fit its model.
namespace ventris::translation {

/// Throws ConfigError for terms or phrases that the model or the search cannot have.
void check_wishes(bool requires_terms, const TranslatorOptions& options, const architecture::Writing& writing);

/// Whether the model reads the translations of terms. Throws ConfigError if it should, but has not learnt to; `path`
/// names it.
bool suggests_terms(const TranslatorOptions& options, const text::Tokenizer& source, const std::string& path);

/// What the model has learnt of context; nothing if no sentences are `wanted`. Throws ConfigError if it has learnt
/// fewer.
model::ContextPolicy learnt_context(int64_t wanted, const model::Package& package);

/// The same for a translator, whose other options may exclude context.
model::ContextPolicy checked_context(const TranslatorOptions& options, const model::Package& package);

/// The id of the separator of a model's context; kNoSeparator without one. Throws ModelError unless the tokenizer has
/// it.
int32_t separator_of(const text::Tokenizer& tokenizer, const model::ContextPolicy& context);

/// The same for the target of a model, if it writes the translations of its context: it may also write some for a line
/// without context.
int32_t written_separator(const text::Tokenizer& target, const model::ContextPolicy& context);

}  // namespace ventris::translation

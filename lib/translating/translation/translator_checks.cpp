#include "translation/translator_checks.h"

#include "core/error.h"
#include "text/term_marks.h"
#include "text/word_ids.h"
#include "translation/window_batches.h"

namespace ventris::translation {

void check(const TranslatorOptions& options) {
  decoding::check(options.search);
  check_workers(options.workers);
  check(options.batch, options.window_lines);
  check_workspace(options.workspace);
  if (options.max_source_length < 0 || options.max_source_length == 1) {
    fail<ConfigError>("max_source_length: must be 0 (what the model can take) or at least 2, got ",
                      options.max_source_length);
  }
  check(options.finish, options.search);
}

TranslatorOptions suggested_options(const model::DecodingDefaults& defaults) {
  TranslatorOptions options;
  options.search.beam_size = static_cast<int32_t>(defaults.beam_size);
  options.search.length_alpha = defaults.length_alpha;
  options.search.max_length_factor = defaults.max_length_factor;
  options.search.iterations = static_cast<int32_t>(defaults.iterations);
  options.search.length_candidates = static_cast<int32_t>(defaults.length_candidates);
  return options;
}

void check_wishes(bool requires_terms, const TranslatorOptions& options, const architecture::Writing& writing) {
  if (writing.all_at_once) {
    fail<ConfigError>(
        "constraints, terms: this model writes all tokens at once, so no phrase can be required or forbidden; leave "
        "them out, or use a model that writes token by token");
  }
  if (requires_terms) phrases::check_requiring(options.search);
}

bool suggests_terms(const TranslatorOptions& options, const text::Tokenizer& source, const std::string& path) {
  if (options.terms == nullptr || options.term_use == TermUse::kRequire) return false;
  if (text::id_of_word(source, text::kTermBegin) >= 0 && text::id_of_word(source, text::kTermEnd) >= 0) return true;
  fail<ConfigError>("term_use: ", path, " has not learnt to use suggested terms (its tokenizer has no pieces ",
                    text::kTermBegin, " and ", text::kTermEnd,
                    "); require them, or train a model with the modifier 'terms'");
}

model::ContextPolicy learnt_context(int64_t wanted, const model::Package& package) {
  const model::ContextPolicy& learnt = package.config.context;
  if (wanted == 0) return {};
  if (learnt.sentences == 0) {
    fail<ConfigError>("context: ", package.path, " has learnt to translate single sentences; leave it out, or use a ",
                      "model that was trained with data.context");
  }
  if (wanted < 0 || wanted > learnt.sentences) {
    fail<ConfigError>("context: must be from 0 (none) to ", learnt.sentences, ", the most that ", package.path,
                      " has learnt, got ", wanted);
  }
  return learnt;
}

model::ContextPolicy checked_context(const TranslatorOptions& options, const model::Package& package) {
  model::ContextPolicy learnt = learnt_context(options.context, package);
  if (learnt.both && (options.terms != nullptr || options.phrases)) {
    fail<ConfigError>("context: cannot be combined with constraints and terms for this model, which also writes the ",
                      "translations of the sentences before, where they would count; leave out one of them");
  }
  return learnt;
}

int32_t separator_of(const text::Tokenizer& tokenizer, const model::ContextPolicy& context) {
  if (context.sentences == 0) return kNoSeparator;
  const int32_t id = text::id_of_word(tokenizer, context.separator);
  if (id >= 0) return id;
  fail<ModelError>("context.separator: expected a piece of the tokenizer, got '", context.separator, "'");
}

int32_t written_separator(const text::Tokenizer& target, const model::ContextPolicy& context) {
  return context.both ? separator_of(target, context) : kNoSeparator;
}

}  // namespace ventris::translation

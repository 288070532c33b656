#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "documents/abbreviations.h"
#include "documents/document_translator.h"

namespace ventris::documents {
namespace {

/// Throws ConfigError for more than one candidate. `setting`: what excludes them, and why.
void check_candidates(const translation::TranslatorOptions& translator, const char* setting, const char* why) {
  if (translator.search.n_best > 1) {
    fail<ConfigError>("n_best: must be 1 with ", setting, ", because ", why, "; leave out one of them");
  }
}

/// Links are needed inside, and what is put back has none.
void check_placing(const translation::TranslatorOptions& translator) {
  check_candidates(translator, "placeholders and markup", "only the best candidate gets them back");
  if (translator.finish.alignment) {
    fail<ConfigError>(
        "alignment: cannot be combined with placeholders and markup, because they belong to no token of the model");
  }
}

void check_changes(const DocumentOptions& options) {
  const std::string& language = options.changes.language;
  check_language(language, "document_language");
  const auto is_sign = [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; };
  if (std::ranges::any_of(language, is_sign)) {
    fail<ConfigError>("document_language: expected letters, digits and hyphens, such as de or pt-BR, got '", language,
                      "'");
  }
  const bool markdown = options.markup == Markup::kMarkdown;  // keys are those of its front matter
  if (!options.format.keys.empty() && options.markup != Markup::kJson && options.markup != Markup::kYaml && !markdown) {
    fail<ConfigError>("translate_keys: has an effect only in JSON, YAML and Markdown; add --markup");
  }
  if (!options.format.fuzzy && options.markup != Markup::kPo) {
    fail<ConfigError>("no_fuzzy: has an effect only in PO; add --markup po");
  }
  const bool has_them =
      options.markup == Markup::kHtml || options.markup == Markup::kEpub || markup::is_xml(options.markup);
  if (options.changes.attributes && !has_them && !markdown) {
    fail<ConfigError>("translate_attributes: has an effect only in HTML, XML, EPUB and Markdown; add --markup");
  }
  if (!language.empty() && !has_them && options.markup != Markup::kJson) {
    fail<ConfigError>(
        "document_language: has an effect only in HTML, XML, EPUB and JSON (@@locale of ARB); add --markup");
  }
}

}  // namespace

std::string DocumentOptions::kept() const {
  if (!markup::has_messages(markup)) return placeholders;
  return placeholders.empty() ? "builtin" : "builtin," + placeholders;
}

translation::TranslatorOptions translator_options(const DocumentOptions& options,
                                                  const translation::TranslatorOptions& translator) {
  check_language(options.language);
  check_changes(options);
  if (!options.placeholders.empty()) static_cast<void>(Placeholders(options.placeholders));
  if (options.split_sentences) {
    check_candidates(translator, "split_sentences", "candidates of several sentences cannot be combined");
  }
  translation::TranslatorOptions needed = translator;
  if (options.places()) {
    check_placing(translator);
    needed.finish.alignment = true;
  }
  return needed;
}

}  // namespace ventris::documents

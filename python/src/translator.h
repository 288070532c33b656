#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "documents/document_translator.h"
#include "filters/open_translation.h"
#include "filters/translation_report.h"
#include "translation/translator.h"

namespace ventris::python {

/// Texts, and what else is asked of their translations: a list for each, or nothing for all of them.
struct Texts {
  std::vector<std::string> texts;
  std::vector<std::string> prefixes;
  std::vector<std::vector<std::string>> required, forbidden;  ///< phrases

  bool with_phrases() const { return !required.empty() || !forbidden.empty(); }
};

/// A model, and translators over it: one for each set of settings that calls ask for. Any number of threads may use it.
class OpenTranslator {
 public:
  /// `settings`: a JSON object of settings of `ventris-translate` (read_settings), with the model. Throws what
  /// filters::open_translation() throws; if LibTorch is needed, ConfigError with a sentence about this package.
  explicit OpenTranslator(const std::string& settings);

  /// The answers to texts. `report` is that of the texts before them, and is told of these. `changes`: a JSON object of
  /// settings for this call. Throws ConfigError for those that belong to the opening of the model, and for what cannot
  /// be combined; DataError for a text or prefix that cannot be used.
  std::vector<documents::Answer> translate(Texts texts, const std::string& changes, filters::TranslationReport& report);

  /// All settings with these changes, as JSON (write_settings).
  std::string settings(const std::string& changes) const;

 private:
  /// What translates with one set of settings.
  struct Pipeline {
    Pipeline(const model::Package& package, const std::shared_ptr<const decoding::ScorerFactory>& scorers,
             const filters::TranslateSettings& settings);

    translation::Translator translator;
    documents::DocumentTranslator documents;  // over `translator`
  };
  struct Variant {
    nlohmann::json settings;
    std::shared_ptr<const Pipeline> pipeline;
  };
  static constexpr size_t kMostVariants = 4;  // each has its own tokenizers and decoders

  filters::TranslateSettings changed(const std::string& changes, bool with_phrases = false) const;
  std::shared_ptr<const Pipeline> variant(const filters::TranslateSettings& settings);

  nlohmann::json given_;
  filters::OpenedTranslation opened_;
  std::shared_ptr<const decoding::ScorerFactory> scorers_;
  std::mutex mutex_;
  std::list<Variant> variants_;  // those used last come first
};

/// Adds the classes to the module.
void bind_translator(nanobind::module_& module);

}  // namespace ventris::python

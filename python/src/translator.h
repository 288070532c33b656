#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "filters/open_translation.h"
#include "translation/translator.h"

namespace ventris::python {

/// A model, and Translators over it: one for each set of settings that calls ask for. Any number of threads may use it.
class OpenTranslator {
 public:
  /// `settings`: a JSON object of settings of `ventris-translate`, with the model. Throws what
  /// filters::open_translation() throws; if LibTorch is needed, ConfigError with a sentence about this package.
  explicit OpenTranslator(const std::string& settings);

  /// The translations of requests, of which the first has the number `first` (for sampling). `changes`: a JSON object
  /// of settings for this call. Throws ConfigError for those that belong to the opening of the model.
  std::vector<translation::Translation> translate(std::vector<translation::Request> requests,
                                                  const std::string& changes, uint64_t first);

  /// All settings with these changes, as JSON.
  std::string settings(const std::string& changes) const;

 private:
  struct Variant {
    std::string settings;
    std::shared_ptr<const translation::Translator> translator;
  };
  static constexpr size_t kMostVariants = 4;  // each has its own tokenizers and decoders

  filters::TranslateSettings changed(const std::string& changes) const;
  std::shared_ptr<const translation::Translator> variant(const filters::TranslateSettings& settings);

  nlohmann::json given_;
  filters::OpenedTranslation opened_;
  std::shared_ptr<const decoding::ScorerFactory> scorers_;
  std::mutex mutex_;
  std::list<Variant> variants_;  // those used last come first
};

/// Adds the class to the module.
void bind_translator(nanobind::module_& module);

}  // namespace ventris::python

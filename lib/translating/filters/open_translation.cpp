#include "filters/open_translation.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "decoding/search.h"
#include "translation/ensemble.h"

namespace ventris::filters {

TranslateSettings check_settings(const nlohmann::json& source) {
  model::DecodingDefaults open;
  open.beam_size = decoding::kLargestBeam;  // n_best is checked later, against the model's beam size
  return TranslateSettings::parse(source, open);
}

translation::TranslatorOptions options_of(const TranslateSettings& settings) {
  translation::TranslatorOptions options = settings.translator;
  options.phrases = settings.constraints;
  if (!settings.terms.empty()) options.terms = std::make_shared<const phrases::TermList>(settings.terms);
  return documents::translator_options(settings.document, options);
}

OpenedTranslation open_translation(const nlohmann::json& source) {
  const ModelChoice models = check_settings(source).model;
  require_model(models);
  const auto loaded = std::make_shared<std::vector<model::LoadedModel>>(translation::read_models(models.paths));
  OpenedTranslation opened;
  opened.settings = TranslateSettings::parse(source, loaded->front().package.config.decoding);
  opened.package = translation::common_package(*loaded, opened.settings.translator.context);
  opened.load = [loaded, settings = opened.settings] {
    return translation::open_models(
        std::move(*loaded),
        {settings.device, settings.backend, settings.precision, settings.allow_unk, settings.shortlist},
        settings.model.ensemble());
  };
  return opened;
}

}  // namespace ventris::filters

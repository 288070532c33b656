#include "filters/open_translation.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "decoding/search.h"
#include "translation/open_scorers.h"

namespace ventris::filters {

TranslateSettings check_settings(const nlohmann::json& source) {
  model::DecodingDefaults open;
  open.beam_size = decoding::kLargestBeam;  // n_best is checked later, against the model's beam size
  return TranslateSettings::parse(source, open);
}

OpenedTranslation open_translation(const nlohmann::json& source) {
  const std::string model = check_settings(source).model;
  if (model.empty()) fail<ConfigError>("--model: the model is missing; give -m BUNDLE or -m FILE.pt");
  const auto loaded = std::make_shared<model::LoadedModel>(model::load_model(model));
  OpenedTranslation opened;
  opened.package = loaded->package;
  opened.settings = TranslateSettings::parse(source, opened.package.config.decoding);
  opened.load = [loaded, settings = opened.settings] {
    return translation::open_scorers(std::move(*loaded),
                                     {settings.device, settings.backend, settings.precision, settings.allow_unk,
                                      settings.shortlist});
  };
  return opened;
}

}  // namespace ventris::filters

#include "translation/open_model.h"

#include <utility>

#include "translation/open_scorers.h"

namespace ventris::translation {

TranslationModel open_model(const std::string& path, const ScorerSettings& options) {
  model::LoadedModel loaded = model::read_model(path);
  model::Package package = loaded.package;
  auto scorers = open_scorers(std::move(loaded), options);
  return {std::move(package), std::move(scorers)};
}

}  // namespace ventris::translation

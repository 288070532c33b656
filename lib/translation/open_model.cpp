#include "translation/open_model.h"

#include <utility>

#include "translation/scorer_loader.h"

namespace ventris::translation {

TranslationModel open_model(const std::string& path, const OpenOptions& options) {
  model::LoadedModel loaded = model::load_model(path);
  model::Package package = loaded.package;
  auto scorers = load_scorers({opened(std::move(loaded)), options.device, options.allow_unk});
  return {std::move(package), std::move(scorers)};
}

}  // namespace ventris::translation

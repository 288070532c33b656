#include "serving/served_model.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "decoding/search.h"
#include "documents/abbreviations.h"
#include "filters/open_translation.h"

namespace ventris::serving {
namespace {

std::atomic<uint64_t> next_lane = 1;

/// The language, or nothing if its abbreviations cannot be known.
std::string known_language(const std::string& language) {
  try {
    documents::check_language(language);
    return language;
  } catch (const ConfigError&) {
    return "";
  }
}

}  // namespace

ServedModel::ServedModel(const nlohmann::json& settings) {
  filters::OpenedTranslation opened = filters::open_translation(settings);
  package_ = std::move(opened.package);
  settings_ = std::move(opened.settings);
  scorers_ = opened.load();
  all_at_once_ = package_.config.architecture->writing().all_at_once;
  lane({});  // so that a model that cannot translate is refused now
}

int64_t ServedModel::most_candidates() const { return decoding::most_results(settings_.translator.search); }

const ServedLane& ServedModel::lane(const SearchKind& kind) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<ServedLane>& place = lanes_[kind];
  if (place) return *place;
  translation::TranslatorOptions options = filters::options_of(settings_);
  options.finish.alignment = kind.links;
  options.phrases = !all_at_once_;
  options.search.log_probs = kind.scores || kind.many;
  if (kind.many) options.search.n_best = static_cast<int32_t>(most_candidates());
  place = std::make_unique<ServedLane>(next_lane++, package_, scorers_, options);
  return *place;
}

const documents::DocumentTranslator& ServedModel::documents(const TextKind& kind) {
  const translation::Translator& translator = lane(kind.search).translator;
  TextKind known = kind;
  known.language = known_language(kind.language);
  const std::lock_guard lock(mutex_);
  auto& place = documents_[known];
  if (!place) {
    documents::DocumentOptions options;
    options.split_sentences = known.split;
    options.language = known.language;
    options.markup = known.markup;
    options.placeholders = known.placeholders;
    place = std::make_unique<documents::DocumentTranslator>(translator, options);
  }
  return *place;
}

std::pair<std::string, std::string> ServedModel::languages_of(const std::string& source, const std::string& target,
                                                              const std::map<std::string, std::string>& names) {
  const translation::Languages& languages = lane({}).translator.languages();
  const auto name_of = [&](const std::string& code, bool told) -> std::string {
    if (!told) return "";
    const auto found = names.find(code);
    return found == names.end() ? code : found->second;
  };
  std::pair<std::string, std::string> both{name_of(source, languages.told_source()),
                                           name_of(target, languages.told_target())};
  languages.check(both.first, both.second);
  return both;
}

}  // namespace ventris::serving

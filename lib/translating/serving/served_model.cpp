#include "serving/served_model.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "decoding/search.h"
#include "documents/abbreviations.h"
#include "filters/open_translation.h"
#include "serving/http_message.h"

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

ServedModel::ServedModel(const nlohmann::json& settings, int64_t context) {
  filters::OpenedTranslation opened = filters::open_translation(settings);
  package_ = std::move(opened.package);
  settings_ = std::move(opened.settings);
  const model::ContextPolicy& learnt = package_.config.context;
  if (!learnt.both) settings_.translator.context = std::min(context, learnt.sentences);
  options_ = filters::options_of(settings_);
  scorers_ = opened.load();
  all_at_once_ = package_.config.architecture->writing().all_at_once;
  lane({});  // so that a model that cannot translate is refused now
}

int32_t ServedModel::beam_for(int64_t candidates) const {
  const int64_t usual = decoding::most_results(settings_.translator.search);
  if (candidates <= usual) return 0;
  if (all_at_once_) {
    throw RequestError(400, "Invalid request: this model has at most " + std::to_string(usual) +
                                " translations of a text, which are " + std::to_string(usual - 1) + " alternatives");
  }
  return static_cast<int32_t>(std::bit_ceil(static_cast<uint32_t>(candidates)));
}

const ServedLane& ServedModel::lane(const SearchKind& kind) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<ServedLane>& place = lanes_[kind];
  if (place) return *place;
  translation::TranslatorOptions options = options_;
  options.finish.alignment = kind.links;
  options.phrases = !all_at_once_;
  options.search.log_probs = kind.scores || kind.many;
  if (kind.beam > 0) options.search.beam_size = kind.beam;
  if (kind.many) options.search.n_best = static_cast<int32_t>(decoding::most_results(options.search));
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
    options.recase = settings_.document.recase;
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

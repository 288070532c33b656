#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>

#include "documents/document_translator.h"
#include "filters/settings.h"
#include "translation/translator.h"

namespace ventris::serving {

/// What a search has to find. Requests of different kinds do not meet in a batch.
struct SearchKind {
  bool scores = false;  ///< scores and log-probabilities are needed
  bool many = false;    ///< several candidates for each sentence
  bool links = false;   ///< links between words, also for placeholders and markup
  int32_t beam = 0;     ///< hypotheses, if more are needed than the model usually has; 0 = as usual
  auto operator<=>(const SearchKind&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

/// What is done with a text.
struct TextKind {
  SearchKind search;
  markup::Markup markup = markup::Markup::kNone;
  bool split = true;         ///< translate each sentence alone
  std::string placeholders;  ///< builtin, numbers, both separated by a comma, or nothing
  std::string language;      ///< of the text, for abbreviations
  auto operator<=>(const TextKind&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

/// The translator of a kind of search. Its number is that of a lane in SentenceQueue.
struct ServedLane {
  ServedLane(uint64_t its_number, const model::Package& package,
             const std::shared_ptr<const decoding::ScorerFactory>& scorers,
             const translation::TranslatorOptions& options)
      : number(its_number), translator(package, scorers, options) {}

  const uint64_t number;
  const translation::Translator translator;
};

/// A model with everything that its requests need. There is one copy of its weights. Several threads may use it.
class ServedModel {
 public:
  /// `settings`: those of ventris-translate. `context`: how many of the sentences before a sentence a model gets that
  /// has learnt to use them, at most as many as it has learnt. One that also writes their translations gets none.
  /// Throws as filters::open_translation.
  explicit ServedModel(const nlohmann::json& settings, int64_t context = 0);

  /// How many sentences before a sentence it gets.
  int64_t context() const { return settings_.translator.context; }

  const ServedLane& lane(const SearchKind& kind);
  const documents::DocumentTranslator& documents(const TextKind& kind);

  /// The beam (SearchKind::beam) for so many candidates. It is wider than needed, so that there are few kinds of
  /// search. Throws RequestError (400) if there cannot be so many.
  int32_t beam_for(int64_t candidates) const;
  /// Whether it writes all tokens at once, so that translations have neither phrases nor word alignments.
  bool writes_all_at_once() const { return all_at_once_; }

  /// The languages of a request for this model. `names` maps codes to what multilingual models call them. A model that
  /// has one pair gets none. Throws ConfigError for a language that a multilingual model does not have.
  std::pair<std::string, std::string> languages_of(const std::string& source, const std::string& target,
                                                   const std::map<std::string, std::string>& names);

  const std::string& path() const { return package_.path; }

 private:
  model::Package package_;
  filters::TranslateSettings settings_;
  // Of the settings, with the list of terms as it was when the model was opened.
  translation::TranslatorOptions options_;
  std::shared_ptr<const decoding::ScorerFactory> scorers_;
  bool all_at_once_ = false;
  std::mutex mutex_;
  std::map<SearchKind, std::unique_ptr<ServedLane>> lanes_;
  std::map<TextKind, std::unique_ptr<documents::DocumentTranslator>> documents_;
};

}  // namespace ventris::serving

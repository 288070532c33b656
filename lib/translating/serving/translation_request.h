#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "detection/language_detector.h"
#include "phrases/wishes.h"
#include "serving/serve_settings.h"
#include "serving/served_model.h"

namespace ventris::serving {

/// What a client wants to have translated, in any protocol.
struct TranslationRequest {
  std::vector<std::string> texts;
  bool several = false;        ///< it gave a list
  std::string source, target;  ///< as the client wrote them; "auto" = not given
  std::optional<detection::Detected> detected = {};  ///< the source that stands for "auto"
  TextKind kind;
  int64_t candidates = 1;
  phrases::WishedPhrases phrases = {};
  std::vector<std::string> context = {};  ///< the sentences before each of the texts, the oldest first
  bool needs_context = false;  ///< a model without context is refused; otherwise it does not get these sentences
  bool alignment = false, word_scores = false;  ///< wanted in the answer
  std::string readable = {};  ///< of a document that is a zip file (markup::is_package): its texts, one on each line
  std::shared_ptr<markup::MarkedDocument> document = {};  ///< the same document, as it was read

  /// Of all texts, each with the phrases that it is searched for and the sentences before it.
  int64_t characters() const;
  /// The same for the limits of what is in work, where each text counts as kLeastOfText characters at least, because it
  /// needs memory even if it is short.
  int64_t load() const;
};

inline constexpr int64_t kLeastOfText = 32;

/// Throws RequestError (400), in the words of LibreTranslate, for too many texts or characters.
void check(const TranslationRequest& request, const ServeLimits& limits);

/// "html" and so on. Throws RequestError (400).
markup::Markup markup_of(const std::string& name);

}  // namespace ventris::serving

#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "documents/guards.h"
#include "documents/placeholders.h"
#include "documents/recasing.h"
#include "documents/sentences.h"
#include "formats/format_reading.h"
#include "markup/markup.h"
#include "translation/translator.h"

namespace ventris::markup {
class BracketCodes;
}  // namespace ventris::markup

namespace ventris::documents {

enum class Care;
struct PlacedText;
struct MarkdownBlock;

using markup::MarkedText;
using markup::Markup;

/// What happens to a text before and after its translation.
struct DocumentOptions {
  bool split_sentences = false;  ///< translate each sentence alone, and keep what is between them
  std::string language = {};         ///< of the source, for abbreviations; "" = unknown (Abbreviations)
  bool guards = true;            ///< look for signs of bad translations
  Markup markup = Markup::kNone;  ///< tags and code stay; if not kNone, a text is a whole document or a part of one
  /// Only with HTML, XML and EPUB; the attributes also with Markdown, the language also with JSON.
  markup::DocumentChanges changes = {};
  formats::FormatOptions format = {};    ///< only with the formats that have them
  Recase recase = Recase::kCapitals;
  std::string placeholders = {};     ///< what comes back as it is (Placeholders); "" = nothing

  /// Whether each sentence is translated alone: always in subtitles, whose sentences go on in the next one.
  bool splits() const { return split_sentences || markup::is_subtitles(markup); }
  /// What comes back as it is: in messages of programs, also what programs replace.
  std::string kept() const;
  /// Whether links between words are needed.
  bool places() const { return !placeholders.empty() || markup != Markup::kNone; }
};

/// The options with which `translator` must be made. Throws ConfigError for an option that is invalid, alone or with
/// those of the translator.
translation::TranslatorOptions translator_options(const DocumentOptions& options,
                                                  const translation::TranslatorOptions& translator);

/// A warning, and its line in the text, from 1.
struct Finding {
  Warning warning;
  int64_t line = 1;
};

/// The kinds of warnings among findings.
Warnings warnings_of(const std::vector<Finding>& findings);

/// A sentence or its translation was cut.
struct Loss {
  bool of_source = false;  ///< of the sentence, not of its translation
  int64_t line = 1;        ///< in the text, from 1
};

/// What became of a text.
struct Answer {
  /// The whole text. With several segments, there is one candidate: its log-probability and tokens are sums, its score
  /// is the mean.
  translation::Translation translation;
  std::vector<Finding> findings;
  int64_t segments = 0;  ///< translations by the model; 0 for a blank text
  std::vector<Loss> losses = {};
};

/// Counts the warnings of a run.
class WarningCounts {
 public:
  /// A line counts once for each kind of warning. `first_line`: the number of the text's first line, from 1.
  void add(const std::vector<Finding>& findings, int64_t first_line);

  /// A sentence for each kind of warning (sentence_about).
  std::vector<std::string> sentences() const;

 private:
  std::map<Warning, core::FirstLines> lines_;
};

/// Translates texts that may have several sentences. Several threads may use it.
class DocumentTranslator {
  struct Pending;

 public:
  /// `translator` must be made with translator_options() and outlive this.
  DocumentTranslator(const translation::Translator& translator, const DocumentOptions& options);
  ~DocumentTranslator();

  using Sink = std::function<void(const Answer& answer)>;

  /// As Translator::run, with an answer for each request. The counts are those of the requests, not of the sentences.
  /// The context of a sentence (translation::Request) are those before it in its text, and before them those of the
  /// request. `watch` is told of each sentence; the last one of a request has its bytes, the others have 0.
  translation::TranslationCounts run(const translation::Translator::Source& source,
                                     const translation::Translator::Ready& ready, const Sink& sink,
                                     const translation::Translator::Watch& watch = {}, uint64_t first = 0) const;

  /// A text that is being translated by a caller that asks the translator itself (begin).
  class Text {
   public:
    /// What the translator is to be asked; at least one request.
    const std::vector<translation::Request>& requests() const { return requests_; }

   private:
    friend class DocumentTranslator;
    std::shared_ptr<const Pending> pending_;
    std::vector<translation::Request> requests_;
  };

  /// Instead of run(): what the text becomes for the translator. Throws as run() for the text.
  Text begin(const translation::Request& request) const { return begin(request, read(request.text)); }
  /// The same for a text that has been read with these options.
  Text begin(const translation::Request& request, markup::MarkedDocument document) const;

  /// The answer for a text, from a translation for each of its requests, in their order. May be called several times
  /// for a text, with other translations.
  Answer finish(const Text& text, std::vector<translation::Translation> translations) const;

  /// How many requests to the translator this text becomes. For run(), `first` is the number of those before its first
  /// text, as for Translator::run.
  uint64_t requests(const translation::Request& request) const;

 private:
  class Run;

  static translation::Request request_of(const Pending& pending, size_t number);
  markup::MarkedDocument read(const std::string& text) const;
  Pending prepare(const translation::Request& request, markup::MarkedDocument document) const;
  std::vector<std::string> sentences_before(const translation::Request& request) const;
  static std::vector<std::string> context_of(const Pending& pending, size_t number);
  const markup::Escape& escape_of(markup::Escaping escaping) const { return escapes_[static_cast<size_t>(escaping)]; }
  void hide_placeholders(markup::Block& block, bool has_dollars, const markup::BracketCodes& codes) const;
  static void find_losses(const Pending& pending, Answer& answer);
  void find_source_warnings(Pending& pending) const;
  void find_changed_placeholders(const Pending& pending, Answer& answer) const;
  void place_line(Pending& pending, size_t segment) const;
  void place_lines(Pending& pending) const;
  void place_marks(Pending& pending) const;
  PlacedText place(const Pending& pending, size_t segment, Care care) const;
  Answer answer(Pending& pending) const;
  void answer_in_markdown(Pending& pending, Answer& answer) const;
  std::string with_beside_texts(Pending& pending, std::string written) const;
  void keep_order(Pending& pending, Answer& answer) const;
  static bool number_message(Pending& pending, MarkdownBlock& block);
  static std::string text_of(const Pending& pending, const MarkdownBlock& block);
  static void answer_by_writer(Pending& pending, Answer& answer);

  const translation::Translator& translator_;
  DocumentOptions options_;
  // Of text, for its markup, by markup::Escaping.
  std::array<markup::Escape, static_cast<size_t>(markup::Escaping::kBraces) + 1> escapes_;
  SentenceSplitter splitter_;
  Recaser recaser_;
  std::optional<Guards> guards_;  // none: off
  std::vector<std::string> copied_words_;  // that take the places of placeholders
  Placeholders placeholders_;     // without the option: those that the guards look for
};

}  // namespace ventris::documents

#pragma once
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "decoding/decoder.h"
#include "model/package.h"
#include "phrases/phrase_maker.h"
#include "phrases/term_list.h"
#include "phrases/wishes.h"
#include "text/line_reader.h"
#include "text/tokenizer.h"
#include "translation/finisher.h"
#include "translation/languages.h"
#include "translation/lending_pool.h"
#include "translation/model_text.h"
#include "translation/window_batches.h"
#include "translation/window_queue.h"
#include "translation/workspace_needs.h"

namespace ventris::translation {

/// What becomes of the terms of a line.
enum class TermUse {
  kRequire,  ///< the translation must have theirs, as they are written
  kSuggest   ///< the model reads their translations in its source, and may inflect them
};

/// How lines are batched and searched.
struct TranslatorOptions {
  decoding::SearchOptions search;
  BatchLimits batch;             ///< tokens: of the sources; bytes and needs follow from the workspace
  int64_t window_lines = 2000;   ///< lines read ahead and sorted by length, at most kMostWindowLines
  int64_t max_source_length = 0;  ///< longer lines are cut to this number of tokens, with eos; 0 = what the model,
                                  ///< decoding::longest_sentence() and the workspace allow
  int64_t workspace = kWorkspace;  ///< MiB of memory for the sentences that each worker has at the same time, and once
                                   ///< more for the results that wait for earlier lines; without the weights
  int workers = 1;  ///< decoders, and threads of a run; at most 1024. Runs at the same time share the decoders
  FinishOptions finish;
  std::string source_language, target_language;  ///< of requests without languages of their own; "" = the only one, or
                                                 ///< each request must have its own
  bool marked_sources = false;  ///< the texts themselves have what tells the model their languages, such as tags
  std::shared_ptr<const phrases::TermList> terms =
      nullptr;  ///< whose translations are required or suggested where a line has the terms
  TermUse term_use = TermUse::kRequire;
  bool phrases = false;  ///< whether requests may have phrases
  int64_t context = 0;  ///< how many of the last texts of Request::context the model gets; 0 = none
};

/// Throws ConfigError with the setting if an option is invalid.
void check(const TranslatorOptions& options);

/// The options that a model suggests: its beam size, normalisation, length limit and how it writes; the rest as above.
TranslatorOptions suggested_options(const model::DecodingDefaults& defaults);

/// The result for a line.
struct Translation {
  std::vector<Candidate> candidates;  ///< best first; one empty candidate for a line without a token
  bool source_cut = false;  ///< the line was longer than allowed, and cut
  double seconds = 0;  ///< from the start of its search to its end

  const std::string& text() const { return candidates.front().text; }
};

/// A line, and the text with which its translation must begin (usually empty; it may have characters that the model
/// does not know).
struct Request {
  std::string text;
  std::string prefix;
  int64_t bytes = 0;  ///< passed to `watch` when the line is done; usually the bytes of the line
  phrases::WishedPhrases phrases = {};
  std::string source_language = {}, target_language = {};  ///< "" = those of TranslatorOptions
  std::vector<std::string> context = {};  ///< the sentences before it in its document, the oldest first; the oldest
                                          ///< are left out if all are too long
  std::string as_written = {};  ///< the text in its own letters, in which required terms are looked for; "" = `text`
};

/// Counts of a run.
struct TranslationCounts {
  int64_t lines = 0;
  int64_t empty = 0;
  int64_t source_cut = 0;
  int64_t first_source_cut = 0;  ///< its line, counted from 1; 0 = none
  int64_t workspace_tokens = 0;  ///< the length to which lines are cut if the workspace decides it; otherwise 0
  int64_t truncated = 0;
  int64_t first_truncated = 0;  ///< the line of the first of them, as above
  int64_t repetitive = 0;
  int64_t target_tokens = 0;  ///< of the best candidates, with eos

  /// Counts the next line; `empty`: it had no token.
  void add(const Translation& translation, bool empty);
};

/// A prefix is too long for the model. The message has the line, not the file.
struct PrefixError : DataError {
  using DataError::DataError;
};

/// Where Translator::serve() gets requests, one after the other, and where it puts their translations. Called by the
/// thread of that call only.
class RequestStream {
 public:
  virtual ~RequestStream() = default;

  /// The next request; null if there is none at the moment. Valid until done() or failed() is called with it.
  virtual const Request* next() = 0;
  /// Gets the translation of a request, in any order of the requests.
  virtual void done(const Request& request, Translation translation) = 0;
  /// Gets what the request made the translator throw, instead of its translation.
  virtual void failed(const Request& request, std::exception_ptr problem) = 0;
};

/// Text in, text out. Batches lines of similar length, searches, and returns the translations in the order of the
/// lines. Any number of threads may use one translator at the same time. A translation, also a sampled one, depends
/// only on the model, the options, its request, and the number of that request in its run.
class Translator {
 public:
  /// `package` does not need weights. Throws ConfigError for invalid options, for options that models of this kind do
  /// not take, for languages, context and attention that the model does not have, and for terms that it has not learnt
  /// to use, and ModelError for a tokenizer that does not fit the model.
  Translator(const model::Package& package, const std::shared_ptr<const decoding::ScorerFactory>& models,
             const TranslatorOptions& options);

  /// Returns the next line to translate in `request`; false at the end.
  using Source = std::function<bool(Request& request)>;
  /// Gets each translation, in the order of the lines.
  using Sink = std::function<void(const Translation& translation)>;
  /// Whether the next line can be read without waiting.
  using Ready = std::function<bool()>;
  /// Is told of each line when it is done, perhaps before earlier lines are.
  using Watch = std::function<void(const DoneLine& line)>;

  /// Translates all lines of `source`, and returns the counts. A window ends early when `ready` says that the next line
  /// is not there yet, so that a person at a terminal gets an answer to each line. A blank line gives an empty
  /// translation; the model is not called. After a signal (if core::install_stop_handlers() was called), the search
  /// stops at its next step, finished lines that are next in order are passed to `sink`, and Interrupted is thrown.
  /// Throws PrefixError for a prefix that is too long for the model, LanguageError for a language of a request that
  /// the model does not have, ConfigError if a language must be given, ConfigError for a required phrase that the
  /// search cannot have (check_requiring), and what a scorer, `source` or `sink` throws. `source` and `ready` are
  /// called by the calling thread, `sink` and `watch` by any thread of the run, one call at a time. A `sink` may
  /// translate, but must not wait for another thread that translates with this translator. `first` is the number of the
  /// first request, for sampling: a text that is translated in several runs gets the samples of one run if each run
  /// goes on counting.
  TranslationCounts run(const Source& source, const Ready& ready, const Sink& sink, const Watch& watch = {},
                        uint64_t first = 0) const;

  /// The same for lines in memory: one translation per line.
  std::vector<Translation> translate(const std::vector<std::string>& lines) const;

  /// Translates the requests of a stream on this thread, until it has none and all are done. A request takes the place
  /// of a finished one at once, if the model can do that (ScorerInfo::refills), so none waits for the end of a batch.
  /// As many threads as TranslatorOptions::workers may serve at the same time; others wait. What goes wrong is told to
  /// the stream: with a request, for this one alone; in the search, for all that are in it.
  void serve(RequestStream& stream) const;

  const text::Tokenizer& source_tokenizer() const { return source_tokenizer_; }
  const text::Tokenizer& target_tokenizer() const { return target_tokenizer_; }

  const Languages& languages() const { return languages_; }

  /// Whether translations must have those of the terms.
  bool requires_terms() const { return options_.terms != nullptr && !suggests_terms_; }

  /// How many of the sentences before a request it gets (TranslatorOptions::context).
  int64_t context() const { return options_.context; }

  /// Whether a line with this text is translated without being cut, whatever its languages.
  bool fits(std::string_view text) const;

 private:
  struct Line;
  class Lane;
  class Service;
  struct Worker {
    std::unique_ptr<decoding::Decoder> decoder;
    std::unique_ptr<decoding::PairScorer> pair_scorer;  // null unless attention is needed
  };

  Worker make_worker() const;
  void fit_workspace(const Worker& first);
  void check_languages(const std::string& path) const;
  LanguageMarks marks_of(const Request& request) const;
  Line encode(const Request& request, uint64_t number) const;
  void encode_context(const Request& request, Line& line) const;
  void encode_prefix(const std::string& prefix, Line& line) const;
  void encode_wishes(const Request& request, Line& line) const;
  EncodedSource encode_with_terms(const Request& request, const LanguageMarks& marks, Line& line) const;
  void run_lane(std::vector<Line>& lines, WindowQueue& queue, int worker) const;

  text::Tokenizer source_tokenizer_, target_tokenizer_;
  model::TokenizerPolicy policy_;
  Languages languages_;
  TranslatorOptions options_;
  bool suggests_terms_ = false;
  std::shared_ptr<const decoding::ScorerFactory> models_;
  model::ContextPolicy context_;  // none: the model gets none
  int32_t source_separator_, target_separator_;
  decoding::SearchOptions search_;  // widened, and within the workspace
  decoding::DecodeLimits limits_;  // of a worker
  Finisher finisher_;
  std::optional<phrases::PhraseMaker> phrase_maker_;  // none: there are no terms and no phrases
  std::unique_ptr<LendingPool<Worker>> workers_ = std::make_unique<LendingPool<Worker>>();
  architecture::Writing writing_;
  int64_t max_target_length_ = 0, max_source_length_ = 0;  // in tokens with eos, of any line
  bool cut_by_workspace_ = false;  // whether the workspace decides max_source_length_
};

}  // namespace ventris::translation

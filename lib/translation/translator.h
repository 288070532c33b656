#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "decoding/decoder.h"
#include "model/package.h"
#include "text/line_reader.h"
#include "text/tokenizer.h"
#include "translation/finisher.h"
#include "translation/lending_pool.h"

namespace ventris::translation {

/// How lines are put together and searched.
struct TranslatorOptions {
  decoding::SearchOptions search;
  int64_t batch_sentences = 64;  ///< most sentences per batch; see also the workspace of batches.h
  int64_t batch_tokens = 4096;   ///< most padded source tokens per batch; a longer sentence is a batch of its own
  int64_t window_lines = 2000;   ///< lines read ahead and sorted by length, at most kMostWindowLines
  int64_t max_source_length = 0;  ///< longer lines are cut to so many tokens, eos included; 0 = what the model and
                                  ///< decoding::longest_sentence() allow
  int workers = 1;  ///< decoders, and threads of a run; at most 1024. Runs at the same time share the decoders
  FinishOptions finish;
};

/// Throws ConfigError naming the setting if the options make no sense.
void check(const TranslatorOptions& options);

/// The options that a model suggests: its beam size, normalisation and length limit; the rest as above.
TranslatorOptions suggested_options(const model::DecodingDefaults& defaults);

/// What became of a line.
struct Translation {
  std::vector<Candidate> candidates;  ///< best first; one empty candidate for a line without a token
  bool source_cut = false;  ///< the line was longer than allowed, and cut
  double seconds = 0;  ///< what the batch of this line took

  const std::string& text() const { return candidates.front().text; }
};

/// A line and what its translation must begin with (usually nothing), characters unknown to the model included.
struct Request {
  std::string text;
  std::string prefix;
  int64_t bytes = 0;  ///< passed to `watch` when the line is done; usually the bytes of the line
};

/// Counted over a run.
struct TranslationCounts {
  int64_t lines = 0;
  int64_t empty = 0;
  int64_t source_cut = 0;
  int64_t first_source_cut = 0;  ///< its line, counted from 1; 0 = none
  int64_t truncated = 0;
  int64_t repetitive = 0;
  int64_t target_tokens = 0;  ///< of the best candidates, eos included
};

/// The model has no room for a prefix. The message names the line, not the file.
struct PrefixError : DataError {
  using DataError::DataError;
};

/// Text in, text out. Batches lines of similar length, searches, and gives the translations back in the order of the
/// lines. Any number of threads may run one translator at the same time. A translation, also one that is drawn,
/// depends on the model, the options, its request and the place of this among the requests of its run, and on nothing
/// else.
class Translator {
 public:
  /// `package` need not hold weights. Throws ConfigError for senseless options and for attention that the model does
  /// not have, ModelError for a tokenizer that does not fit the model.
  Translator(const model::Package& package, const std::shared_ptr<const decoding::ScorerFactory>& models,
             const TranslatorOptions& options);

  /// Hands out the next line to translate; false at the end.
  using Source = std::function<bool(Request& request)>;
  /// Takes the translation of each line in turn, as soon as it is next.
  using Sink = std::function<void(const Translation& translation)>;
  /// Whether the source would answer without waiting.
  using Ready = std::function<bool()>;
  /// Is told of each line that is done, by its Request::bytes; some time before its turn to go out may come.
  using Watch = std::function<void(int64_t bytes)>;

  /// Translates all lines of `source`, and returns what is to be counted of them. A window ends early when `ready` says
  /// that the next line is not there yet, so that a person at a terminal gets an answer to each line. A blank line
  /// gives an empty translation without a look at the model. After a signal (where core::install_stop_handlers() was
  /// called) the search stops at its next step, the lines whose turn it is go out, and Interrupted is thrown. Throws
  /// PrefixError for a prefix the model has no room for, and whatever a scorer, `source` or `sink` throws. `source` and
  /// `ready` are called by the calling thread, `sink` and `watch` by any thread of the run, one call at a time.
  TranslationCounts run(const Source& source, const Ready& ready, const Sink& sink, const Watch& watch = {}) const;

  /// The same for lines in memory: one translation a line.
  std::vector<Translation> translate(const std::vector<std::string>& lines) const;

 private:
  struct Line;
  struct Worker {
    std::unique_ptr<decoding::Decoder> decoder;
    std::unique_ptr<decoding::PairScorer> pair_scorer;  // null unless attention is asked for
  };

  Line encode(const Request& request, uint64_t number) const;
  void encode_prefix(const std::string& prefix, Line& line) const;
  void search_batch(std::vector<Line>& lines, const std::vector<size_t>& batch) const;

  text::Tokenizer source_tokenizer_, target_tokenizer_;
  model::TokenizerPolicy policy_;
  TranslatorOptions options_;
  Finisher finisher_;
  std::unique_ptr<LendingPool<Worker>> workers_ = std::make_unique<LendingPool<Worker>>();
  int64_t max_target_length_ = 0, max_source_length_ = 0;  // in tokens with eos, of any line
};

}  // namespace ventris::translation

#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "decoding/step_scorer.h"
#include "model/package.h"
#include "text/tokenizer.h"
#include "translation/languages.h"
#include "translation/lending_pool.h"
#include "translation/window_batches.h"
#include "translation/workspace_needs.h"

namespace ventris::translation {

/// How pairs are batched and scored.
struct TextScorerOptions {
  double length_alpha = 0;      ///< score = log_prob / tokens^alpha; 0 = plain log_prob
  BatchLimits batch;            ///< tokens: of the longer side
  int64_t window_lines = 2000;  ///< pairs read ahead and sorted by length, at most kMostWindowLines
  int64_t workspace = kWorkspace;  ///< MiB of memory for the batch of each worker, without the weights; batch.bytes and
                                   ///< batch.needs follow from it
  int64_t context = 0;  ///< how many of the last pairs of TextPair::context the model gets; 0 = none
  std::string source_language, target_language;  ///< of all pairs; "" = the only one of the model
  int workers = 1;  ///< scorers, and threads of a run; at most 1024. Runs at the same time share the scorers
};

/// Throws ConfigError with the setting if an option is invalid.
void check(const TextScorerOptions& options);

struct TextPair {
  std::string source;
  std::string target;
  int64_t bytes = 0;  ///< passed to `watch` when the line is done; usually the bytes of the line
  /// The sentences before it in its document with their translations, the oldest first. Those are only read for a model
  /// that also writes them. The oldest that do not fit into the model with the pair are left out.
  std::vector<std::pair<std::string, std::string>> context = {};
};

/// The result for a pair.
struct PairScore {
  std::vector<std::string> pieces;  ///< tokens of the target with U+2581 for a space, "</s>" at its end
  std::vector<float> token_log_probs;  ///< nats, one per piece
  double log_prob = 0;  ///< their sum
  double score = 0;  ///< normalised
  int64_t words = 0;  ///< of the target, separated by white space; its end counts as one, unless the target was cut
  bool blank = false;  ///< the source is blank: the pair is not scored and has no tokens
  bool unscored = false;  ///< the same, although the target is not blank
  bool source_cut = false;  ///< the source was too long for the model, and cut
  bool target_cut = false;  ///< the same for the target, which then has no "</s>"
};

/// Counts of a run; lines are counted from 1, 0 = none.
struct ScoreCounts {
  int64_t pairs = 0;
  int64_t blank = 0;
  int64_t first_blank = 0;
  int64_t source_cut = 0;
  int64_t target_cut = 0;
  int64_t first_cut = 0;  ///< of either side
  int64_t workspace_tokens = 0;  ///< the length to which a side is cut if the workspace decides it; otherwise 0
  int64_t tokens = 0;  ///< of targets, with eos
  int64_t words = 0;  ///< of targets, with one for each end of a sentence
  double log_prob = 0;
};

/// Text pairs in, log-probabilities out, in the order of the pairs. A source is encoded as for translating. A target is
/// segmented by its tokenizer, as nearly all translations of a search are. Any number of threads may use one scorer at
/// the same time.
class TextScorer {
 public:
  /// `package` does not need weights. Throws ConfigError for invalid options, or context that the model has not learnt,
  /// and ModelError for a tokenizer that does not fit the model.
  TextScorer(const model::Package& package, const decoding::ScorerFactory& scorers, const TextScorerOptions& options);

  using Source = std::function<bool(TextPair& pair)>;  ///< returns the next pair; false at the end
  using Sink = std::function<void(const PairScore&)>;  ///< gets each score, in the order of the pairs
  using Ready = std::function<bool()>;  ///< whether the next pair can be read without waiting

  using Watch = std::function<void(const DoneLine& pair)>;  ///< is told of each pair when it is done

  /// Scores all pairs of `source`, as Translator::run() translates lines, and returns the counts.
  /// Throws Interrupted after a signal, ModelError if the model gives a score that is not a number, and what a scorer,
  /// `source` or `sink` throws.
  ScoreCounts run(const Source& source, const Ready& ready, const Sink& sink, const Watch& watch = {}) const;

  /// The same for pairs in memory: one score per pair.
  std::vector<PairScore> score(const std::vector<TextPair>& pairs) const;

 private:
  struct Item;

  Item encode(const TextPair& pair) const;
  void add_context(const TextPair& pair, Item& item) const;
  void score_batch(std::vector<Item>& items, const std::vector<size_t>& batch) const;
  void finish(Item& item, const std::vector<float>& log_probs) const;

  text::Tokenizer source_tokenizer_, target_tokenizer_;
  model::TokenizerPolicy policy_;
  LanguageMarks marks_;
  model::ContextPolicy context_;  // none: the model gets none
  int32_t source_separator_, target_separator_;
  TextScorerOptions options_;
  using Scorers = LendingPool<std::unique_ptr<decoding::PairScorer>>;
  std::unique_ptr<Scorers> scorers_ = std::make_unique<Scorers>();
  int64_t max_length_ = 0;
  bool cut_by_workspace_ = false;  // whether the workspace decides max_length_
};

}  // namespace ventris::translation

#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decoding/search.h"
#include "model/model_config.h"
#include "phrases/wishes.h"
#include "text/tokenizer.h"
#include "translation/alignment.h"
#include "translation/mbr.h"

namespace ventris::translation {

/// How the hypotheses of a search become translations.
struct FinishOptions {
  bool alignment = false;       ///< link the words of each translation to those of the line
  bool replace_unk = false;     ///< replace unknown tokens of a translation by parts of the source
  AttentionChoice attention;    ///< the attention for both, and for the coverage penalty
  double coverage_penalty = 0;  ///< adds this times the sum over source tokens of log(min(attention to it, 1)) to each
                                ///< score (Wu et al. 2016, equation 14), then sorts again; 0 = off
  Utility mbr = Utility::kNone;  ///< sort candidates by expected utility instead of score
  int64_t candidates = 0;  ///< number of candidates for mbr and coverage_penalty; 0 = the whole beam, or 16 samples

  bool tokens = true;  ///< keep the pieces of translations and their log-probabilities (Candidate)

  bool reranks() const { return mbr != Utility::kNone || coverage_penalty > 0; }
  bool asks_attention() const { return alignment || replace_unk || coverage_penalty > 0; }
};

/// Throws ConfigError with the setting if an option is invalid, alone or with this search.
void check(const FinishOptions& options, const decoding::SearchOptions& search);

/// The options of the search that finds the candidates.
decoding::SearchOptions widened(decoding::SearchOptions search, const FinishOptions& options);

/// One of the n best translations of a line.
struct Candidate {
  std::string text;
  double log_prob = 0;  ///< nats, summed over the tokens
  double score = 0;  ///< normalised, including penalties
  int64_t tokens = 0;  ///< target tokens, including eos
  bool truncated = false;  ///< cut at the maximum length
  bool repetitive = false;  ///< repeats itself: decoding::is_repetitive
  std::vector<std::string> pieces = {};  ///< one per token, U+2581 for a space; the last is "</s>" unless truncated;
                                         ///< empty without FinishOptions::tokens
  std::vector<float> token_log_probs = {};  ///< nats, one per piece
  std::vector<Link> links = {};  ///< to the words of the source, if requested
  std::optional<double> utility = {};  ///< in [0, 100], if mbr is on
  std::vector<phrases::Unmet> unmet = {};  ///< what it does not fulfil of Request::phrases and TranslatorOptions::terms
};

constexpr int32_t kNoSeparator = -1;  ///< instead of an id

/// How many tokens around those of a text and its eos tell the model its languages or are its context.
struct SourceMarks {
  size_t before = 0, after = 0;
};

/// A line with the hypotheses of a search.
struct FoundLine {
  std::string text;  ///< as the model got it
  std::vector<int32_t> source;  ///< its ids, with eos if the model needs it, and with marks
  std::vector<decoding::Hypothesis> hypotheses;
  /// The pieces of the forced prefix (text::Tokenizer::pieces) if one is unknown, otherwise empty.
  std::vector<std::string> prefix_pieces = {};
  SourceMarks marks = {};
  std::vector<int32_t> given = {};  ///< what the decoder had before the hypotheses (decoding::Sentence::given)
  std::vector<text::ByteRange> added = {};  ///< what the text has in addition to the line: phrases::SuggestedTerms
  int32_t separator = kNoSeparator;  ///< what follows the last one in a hypothesis is the translation of the line, and
                                     ///< the rest that of its context, which the candidates do not have
  size_t prefix_tokens = 0;  ///< of the hypotheses, the forced prefix
};

/// Chooses among hypotheses and turns them into text. Several threads may use it.
class Finisher {
 public:
  Finisher(text::Tokenizer source, text::Tokenizer target, const model::TokenizerPolicy& policy,
           const FinishOptions& options, int64_t n_best);

  /// The attention to request from such a model. `learnt` is what has learnt links, or has layer 0. Throws ConfigError
  /// if the model does not have it.
  void choose_attention(const decoding::AttentionShape& shape, const model::GuidedAttention& learnt = {});

  /// How much memory the scorer of pairs may use at a time, and how much it needs.
  void limit_pairs(const decoding::MemoryNeeds& needs, int64_t bytes);

  /// The candidates of each line, best first, at most n_best. `scorer` may be null if no attention is needed. Throws
  /// Interrupted after a stop signal (core/process.h).
  std::vector<std::vector<Candidate>> finish(std::vector<FoundLine> lines, decoding::PairScorer* scorer) const;

 private:
  struct Found;
  struct Work;

  /// Gets a hypothesis with its attention, which is freed afterwards.
  using Use = std::function<void(const Work& line, Found& found)>;
  void watch(std::vector<Work>& lines, decoding::PairScorer& scorer, const Use& use) const;
  size_t batch_of(std::span<const decoding::Pair> pairs) const;
  void drop_placeholders(Work& line) const;
  void cover(const Work& line, Found& found) const;
  void rerank(Work& line) const;
  std::string text_of(const Work& line, const Found& found) const;
  Candidate candidate_of(const Work& line, const Found& found) const;
  void explain(const Work& line, const Found& found, Candidate& candidate) const;
  std::vector<std::string> looked_at(const Work& line, const Found& found, const std::vector<text::ByteRange>& places,
                                     const std::vector<int64_t>& word_of) const;

  text::Tokenizer source_, target_;
  model::TokenizerPolicy policy_;
  FinishOptions options_;
  size_t n_best_;
  std::vector<std::pair<int32_t, int32_t>> placeholders_;  // ids of the source, or -1, and of the target
  decoding::PairQuestion question_;
  bool learnt_ = false;  // the attention has learnt links
  bool reading_ = false;  // that of a token is the attention of the step that reads it
  decoding::MemoryNeeds pair_needs_;
  int64_t pair_bytes_ = std::numeric_limits<int64_t>::max();
};

}  // namespace ventris::translation

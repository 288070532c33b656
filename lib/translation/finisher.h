#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "decoding/search.h"
#include "model/config.h"
#include "text/tokenizer.h"
#include "translation/alignment.h"
#include "translation/mbr.h"

namespace ventris::translation {

/// What becomes of the hypotheses that a search found.
struct FinishOptions {
  bool alignment = false;       ///< link the words of each translation to the line's
  bool replace_unk = false;     ///< put a part of the source where a translation has an unknown token
  AttentionChoice attention;    ///< decides both of these, and coverage
  double coverage_penalty = 0;  ///< adds this times the sum over source tokens of log(min(attention to it, 1)) to each
                                ///< score (Wu et al. 2016, equation 14), then sorts anew; 0 = none
  Utility mbr = Utility::kNone;  ///< order candidates by their expected utility instead of their scores
  int64_t candidates = 0;  ///< how many mbr or coverage_penalty choose among; 0 = all of the beam, or 16 draws

  bool reranks() const { return mbr != Utility::kNone || coverage_penalty > 0; }
  bool asks_attention() const { return alignment || replace_unk || coverage_penalty > 0; }
};

/// Throws ConfigError naming the setting if the options make no sense, alone or with this search.
void check(const FinishOptions& options, const decoding::SearchOptions& search);

/// The search that finds what is chosen among.
decoding::SearchOptions widened(decoding::SearchOptions search, const FinishOptions& options);

/// One of the n best translations of a line.
struct Candidate {
  std::string text;
  double log_prob = 0;  ///< nats, summed over the tokens
  double score = 0;  ///< normalised, penalties included
  int64_t tokens = 0;  ///< target tokens, eos included
  bool truncated = false;  ///< cut at the greatest length
  bool repetitive = false;  ///< goes round in circles: decoding::is_repetitive
  std::vector<std::string> pieces = {};  ///< one a token, with U+2581 for a space; the last is "</s>" unless truncated
  std::vector<float> token_log_probs = {};  ///< nats, one a piece
  std::vector<Link> links = {};  ///< to the source's words, if asked for
  std::optional<double> utility = {};  ///< in [0, 100], if mbr ordered the candidates
};

/// A line and what a search found for it.
struct FoundLine {
  std::string text;
  std::vector<int32_t> source;  ///< its ids, ready for the model
  std::vector<decoding::Hypothesis> hypotheses;
  /// Of the forced prefix if one of them is unknown (text::Tokenizer::pieces), or empty.
  std::vector<std::string> prefix_pieces = {};
};

/// Chooses among hypotheses and makes text of them. May be used by several threads.
class Finisher {
 public:
  Finisher(text::Tokenizer source, text::Tokenizer target, const model::TokenizerPolicy& policy,
           const FinishOptions& options, int64_t n_best);

  /// Which attention of such a model is asked for. Throws ConfigError if it has none of that name.
  void choose_attention(const decoding::AttentionShape& shape);

  /// The candidates of each line, best first, at most n_best. `scorer` may be null if no attention is asked for. Throws
  /// Interrupted after a stop signal (core/process.h).
  std::vector<std::vector<Candidate>> finish(std::vector<FoundLine> lines, decoding::PairScorer* scorer) const;

 private:
  struct Found;
  struct Work;

  void watch(std::vector<Work>& lines, decoding::PairScorer& scorer) const;
  void cover(Work& line) const;
  void rerank(Work& line) const;
  std::string text_of(const Work& line, const Found& found) const;
  Candidate candidate_of(const Work& line, const Found& found) const;
  void explain(const Work& line, const Found& found, Candidate& candidate) const;
  std::vector<std::string> looked_at(const Work& line, const Found& found,
                                     const std::vector<text::ByteRange>& places) const;

  text::Tokenizer source_, target_;
  model::TokenizerPolicy policy_;
  FinishOptions options_;
  size_t n_best_;
  decoding::PairQuestion question_;
};

}  // namespace ventris::translation

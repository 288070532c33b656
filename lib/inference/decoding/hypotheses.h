#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "decoding/search.h"

namespace ventris::decoding {

/// The hypotheses of one sentence during a search. It is independent of other sentences, so they cannot change its
/// result.
class Hypotheses {
 public:
  /// Keeps references to both. `max_length` is in tokens with eos.
  Hypotheses(const Sentence& sentence, const SearchOptions& options, int64_t max_length);

  /// A hypothesis that is not finished.
  struct Live {
    int32_t row;           ///< its row in the last request
    int32_t node = -1;     ///< its newest token in the trellis; -1 = none yet
    int32_t draw = 0;      ///< number of the sample that it belongs to
    double log_prob = 0;   ///< of the model
    double rank = 0;       ///< log_prob including penalties
    std::vector<Penalty> penalties = {};  ///< on its next token
    constraints::Progress progress = {};  ///< with the constraints of the sentence
    std::vector<int32_t> wanted = {};     ///< tokens whose log-probabilities it needs, ascending
    size_t first_wanted = 0;              ///< place of the first of them in the last request
  };

  /// Starts from the sentence's row in the scorer, with one hypothesis, or with one per sample, numbered from
  /// `first_draw`.
  void start(int32_t row, int32_t first_draw = 0);

  /// The unfinished hypotheses; empty once the sentence is done. The caller sets `row`.
  std::vector<Live>& live() { return live_; }

  int32_t last_id(const Live& hypothesis, int32_t bos) const;
  int32_t forced_id() const;  ///< the token that must be next; -1 = none
  bool forbids_eos(const Live& hypothesis) const;  ///< whether the result would be too short with eos as the next
                                                   ///< token, or not have all required phrases
  void penalise(Live& hypothesis) const;  ///< sets its penalties
  void want(Live& hypothesis, int32_t eos) const;  ///< sets its wanted tokens
  double noise(const Live& hypothesis) const;  ///< the noise of its next draw
  size_t places() const;  ///< maximum number of unfinished hypotheses after the next step

  /// Takes one step. `next` has [rows, width] entries, indexed by Live::row.
  void extend(const Continuations& next, size_t width, int32_t eos);

  /// The finished hypotheses, best first, at most n_best.
  std::vector<Hypothesis> results() const;

 private:
  struct Node {
    int32_t parent;  // index in the trellis, -1 = the beginning
    int32_t id;
    float log_prob;
  };
  struct Finished {
    int32_t node;  // eos, unless truncated
    double log_prob, score;
    bool truncated;
    int32_t missing;  // tokens of required phrases
  };
  struct Continuation {
    size_t parent;  // index in live_
    int32_t id;
    float step;  // log-probability of this token
    double log_prob;  // of all so far
    double rank;
    int32_t missing = 0;  // tokens of required phrases
  };

  bool requires_phrases() const;
  int32_t missing(const Live& hypothesis) const;
  void add_to_pool(size_t parent, int32_t id, float step);
  void pool_wanted(const Continuations& next);
  void sort_pool();
  void keep_best();
  void share_among_banks(int32_t eos);
  void pool(const Continuations& next, size_t width, size_t keep);
  void follow(int32_t eos);
  void finish(const Live& hypothesis, bool truncated);
  std::vector<int32_t> ids_up_to(int32_t node) const;
  void drop_hopeless();
  Hypothesis hypothesis_of(const Finished& finished) const;

  const Sentence& sentence_;
  const SearchOptions& options_;
  int64_t max_length_;
  int64_t length_ = 0;  // tokens of every live hypothesis
  std::vector<Live> live_;
  std::vector<Node> trellis_;
  std::vector<Finished> finished_;
  // Of a step; they are kept so that a step does not allocate memory.
  std::vector<Continuation> pooled_;
  std::vector<Live> next_;
  std::vector<double> scores_;
};

}  // namespace ventris::decoding

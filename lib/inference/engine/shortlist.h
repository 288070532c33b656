#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arithmetic/chosen_columns.h"
#include "engine/output_layer.h"
#include "engine/shortlist_options.h"
#include "model/lexicon.h"

/// Shortlists: a sentence may use only some target ids, so that the output layer has fewer columns.
namespace ventris::engine {

using arithmetic::ChosenColumns;

/// Some columns of the generator.
struct Columns {
  std::vector<int32_t> ids;  ///< for which the columns stand
  ChosenColumns weights;

  void add(const Matrix& generator, std::span<const int32_t> more);
};

/// Which target ids each sentence may use. Threads share it.
class Shortlist {
 public:
  /// `always`: ids that every sentence may use, whatever their frequency. With `shared`, both sides have the same ids,
  /// and a sentence may also use those of its source. `generator` must live as long as this.
  Shortlist(const Matrix& generator, std::shared_ptr<const model::Lexicon> lexicon, const ShortlistOptions& options,
            std::span<const int32_t> always, bool shared);

  const Matrix& generator() const { return generator_; }
  const Columns& common() const { return common_; }
  bool is_common(int32_t id) const { return is_common_[static_cast<size_t>(id)] != 0; }

  /// Calls add(id) for the ids that only this sentence may use, some of them several times: the best target piece of
  /// each source id, then the second one of each, and so on, until add() returns false.
  template <typename Add>
  void each_own_id(std::span<const int32_t> source, const Add& add) const {
    const auto take = [&](int32_t id) { return is_common(id) || add(id); };
    if (shared_ && !std::ranges::all_of(source, take)) return;
    for (size_t rank = 0; rank < best_; ++rank) {
      for (const int32_t id : source) {
        const std::span<const int32_t> found = lexicon_->pieces(id);
        if (rank < found.size() && !take(found[rank])) return;
      }
    }
  }

  /// The maximum number of ids that only one sentence may use. It bounds the memory.
  size_t most_own() const { return static_cast<size_t>(std::max<int64_t>(generator_.n() / 4, 1024)); }

 private:
  const Matrix& generator_;
  std::shared_ptr<const model::Lexicon> lexicon_;
  size_t best_;
  bool shared_;
  Columns common_;
  std::vector<uint8_t> is_common_;  // of each target id
};

/// The columns of the rows of a StepScorer. A sentence has its own columns besides the common ones. Which those are
/// depends only on the sentence: not on the other sentences of its batch.
class ShortlistRows {
 public:
  explicit ShortlistRows(const Shortlist& shortlist);

  void reset();
  /// Appends a row for each sentence; as decoding::StepScorer::admit.
  void admit(std::span<const std::span<const int32_t>> sources);
  /// Row i becomes what row parents[i] was.
  void follow(std::span<const int32_t> parents);
  /// The sentences of rows may use the forced and wanted ids of these rows from now on.
  void allow(const decoding::StepRequest& request);
  /// An upper bound of the bytes for the columns of a sentence.
  int64_t most_memory() const;
  /// What to multiply the states of the rows with; valid until the next call of another function.
  std::span<const OutputPart> parts();

 private:
  void allow(size_t row, int32_t id);
  void fill(Columns& own, std::span<const int32_t> source);

  const Shortlist& shortlist_;
  std::vector<Columns> own_;            // of sentences, by number; reused
  std::vector<size_t> rows_, next_rows_;  // the number of the sentence of each row
  std::vector<uint8_t> used_;           // of each number
  std::vector<uint8_t> seen_;           // of each target id; 0 between calls
  std::vector<int32_t> ids_;
  std::vector<OutputPart> parts_;
};

}  // namespace ventris::engine

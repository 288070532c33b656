#include "nat/nat_pair_scorer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/process.h"
#include "nat/choices.h"

namespace ventris::nat {
namespace {

using decoding::AttentionShape;
using decoding::check_pairs;
using decoding::MemoryNeeds;
using decoding::Pair;
using decoding::PairAnswer;
using decoding::PairQuestion;
using decoding::PairScorer;

class NatPairScorer : public PairScorer {
 public:
  explicit NatPairScorer(std::unique_ptr<NatScorer> scorer) : scorer_(std::move(scorer)), info_(scorer_->info()) {}

  int64_t max_length() const override { return info_.max_length; }
  MemoryNeeds memory() const override { return info_.pair_memory; }
  AttentionShape attention_shape() const override { return info_.options.ctc() ? AttentionShape() : info_.attention; }
  std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) override;

 private:
  size_t fitting(std::span<const Pair> pairs) const;
  void answer_some(std::span<const Pair> pairs, const PairQuestion& question, std::span<PairAnswer> answers);
  int64_t positions(const Pair& pair) const;
  std::vector<float> log_probs_of(const Pair& pair, NatOutput& output, std::span<const float> of_lengths) const;
  std::vector<float> attention_of(const Pair& pair, NatOutput& output, int64_t head) const;

  std::unique_ptr<NatScorer> scorer_;
  const NatInfo& info_;
};

/// The target positions that a pair needs.
int64_t NatPairScorer::positions(const Pair& pair) const {
  const architecture::NatOptions& settings = info_.options;
  const auto source = static_cast<int64_t>(pair.source.size()), target = static_cast<int64_t>(pair.target.size());
  if (settings.predicts_length()) return std::max<int64_t>(target, 1);
  if (settings.ctc()) return settings.positions(source);
  return std::max(settings.positions(source), static_cast<int64_t>(pair.tokens()));
}

/// of_lengths [classes] if the length is predicted.
std::vector<float> NatPairScorer::log_probs_of(const Pair& pair, NatOutput& output,
                                               std::span<const float> of_lengths) const {
  const architecture::NatOptions& settings = info_.options;
  if (settings.ctc()) {
    std::vector<float> values = ctc_log_probs(output, pair.target, info_.ids.pad);
    values.resize(pair.tokens());
    return values;
  }
  std::vector<int32_t> wanted(pair.target.begin(), pair.target.end());
  if (pair.ends && !settings.predicts_length()) wanted.push_back(info_.ids.eos);
  const std::vector<float> found = output.log_probs_of(wanted);  // [positions, wanted]
  std::vector<float> values;
  for (size_t i = 0; i < wanted.size(); ++i) values.push_back(found[i * wanted.size() + i]);
  if (pair.ends && settings.predicts_length()) {
    const auto source = static_cast<int64_t>(pair.source.size()), target = static_cast<int64_t>(pair.target.size());
    values.push_back(of_lengths[static_cast<size_t>(length_class(target, source, settings.length_range))]);
  }
  return values;
}

std::vector<float> NatPairScorer::attention_of(const Pair& pair, NatOutput& output, int64_t head) const {
  const size_t rows = info_.options.predicts_length() ? pair.target.size() : pair.tokens();
  std::vector<float> found = output.attention(head);  // [positions, source]
  found.resize(rows * pair.source.size());
  found.resize(pair.tokens() * pair.source.size());
  return found;
}

/// How many pairs to process together: at least one.
size_t NatPairScorer::fitting(std::span<const Pair> pairs) const {
  int64_t longest = 0;
  size_t count = 0;
  for (; count < pairs.size(); ++count) {
    longest = std::max({longest, positions(pairs[count]), static_cast<int64_t>(pairs[count].source.size())});
    if (count > 0 && static_cast<int64_t>(count + 1) * longest > info_.positions_at_once) break;
  }
  return count;
}

std::vector<PairAnswer> NatPairScorer::answer(std::span<const Pair> pairs, const PairQuestion& question) {
  check_pairs(pairs, question, attention_shape(), max_length());
  std::vector<PairAnswer> answers(pairs.size());
  std::span<PairAnswer> rest = answers;
  for (size_t count = 0; !pairs.empty(); pairs = pairs.subspan(count), rest = rest.subspan(count)) {
    core::throw_if_stopped("scoring");
    count = fitting(pairs);
    answer_some(pairs.first(count), question, rest.first(count));
  }
  return answers;
}

void NatPairScorer::answer_some(std::span<const Pair> pairs, const PairQuestion& question,
                                std::span<PairAnswer> answers) {
  std::vector<std::span<const int32_t>> sources;
  std::vector<NatRow> rows;
  for (const Pair& pair : pairs) {
    rows.push_back({sources.size(), positions(pair)});
    sources.push_back(pair.source);
  }
  scorer_->encode(sources);
  std::span<const float> of_lengths;  // [rows, classes]
  if (question.log_probs && info_.options.predicts_length()) of_lengths = scorer_->length_log_probs();
  const size_t classes = of_lengths.size() / pairs.size();
  const NatPass pass{.rows = rows, .watched_layer = question.attention ? question.layer : -1};
  scorer_->run(pass, [&](size_t row, NatOutput& output) {
    if (question.log_probs) {
      answers[row].log_probs = log_probs_of(pairs[row], output, of_lengths.subspan(row * classes, classes));
    }
    if (question.attention) answers[row].attention = attention_of(pairs[row], output, question.head);
  });
}

}  // namespace

std::unique_ptr<PairScorer> make_nat_pair_scorer(std::unique_ptr<NatScorer> scorer) {
  return std::make_unique<NatPairScorer>(std::move(scorer));
}

}  // namespace ventris::nat

#include "data/masked_batches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.h"

namespace ventris::data {
namespace {

constexpr uint64_t kMaskingStream = 0x6d61736b;  // of the run's seed
constexpr double kMasked = 0.8, kRandom = 0.1;   // of the tokens to predict; the others stay
constexpr double kOtherPassage = 0.5;            // share of second parts from another passage
constexpr const char* kSpace = "\u2581";

}  // namespace

/// The draws of one passage in one epoch, one after the other.
class MaskedBatchMaker::Draws {
 public:
  explicit Draws(uint64_t seed) : stream_(seed, kMaskingStream) {}
  double uniform() { return stream_.uniform(next_++); }
  size_t below(size_t limit) { return static_cast<size_t>(stream_.below(next_++, limit)); }

 private:
  core::RandomStream stream_;
  uint64_t next_ = 0;
};

/// A passage as it enters the model.
struct MaskedBatchMaker::Example {
  std::vector<int32_t> ids;       // with special tokens
  std::vector<int32_t> segments;  // of each id
  std::vector<int32_t> labels;    // of each id: what to predict, or padding
  int32_t other = 0;              // 1 = the second part is from another passage
  int64_t predicted = 0;
};

MaskedBatchMaker::MaskedBatchMaker(const MaskingOptions& options, const text::Tokenizer& tokenizer)
    : options_(options), begins_word_(static_cast<size_t>(tokenizer.size())) {
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    const std::string& piece = tokenizer.piece(id);
    begins_word_[static_cast<size_t>(id)] = piece.starts_with(kSpace) || id == options_.mask_id;
  }
}

namespace {

/// The passages of the corpus that holds passage `number`: the first one and the one after the last.
std::pair<size_t, size_t> corpus_of(uint32_t number, const PairStore& store) {
  size_t begin = 0;
  for (const CorpusPart& part : store.summary().parts) {
    const size_t end = begin + static_cast<size_t>(part.pairs);
    if (number < end) return {begin, end};
    begin = end;
  }
  return {0, store.size()};
}

/// Whether its corpus has a passage that is not beside passage `number`, and so not its continuation.
bool has_other(uint32_t number, const PairStore& store) {
  const auto [begin, end] = corpus_of(number, store);
  return end - begin >= 4;
}

/// A number from `begin` to `end` - 1 that is not `number` or beside it; draw(n) draws one below n.
template <typename Draw>
size_t other_number(uint32_t number, size_t begin, size_t end, const Draw& draw) {
  const size_t first = std::max<size_t>(begin, number == 0 ? 0 : number - 1);  // of those that are left out
  const size_t last = std::min<size_t>(end - 1, size_t{number} + 1);
  const size_t left_out = last - first + 1;
  const size_t other = begin + draw(end - begin - left_out);
  return other < first ? other : other + left_out;
}

}  // namespace

/// The second part of another passage of the same corpus, with at most `most` tokens: whole sentences if one fits, so
/// that the end does not tell where the part is from. `from_middle`: begins inside the passage's sentence, as the
/// second part of a divided sentence does.
std::vector<int32_t> MaskedBatchMaker::other_part(uint32_t number, const PairStore& store, size_t most,
                                                  bool from_middle, Draws& draws) const {
  const auto [begin, end] = corpus_of(number, store);
  const SentencePair found =
      store.pair(other_number(number, begin, end, [&](size_t limit) { return draws.below(limit); }));
  const size_t size = found.source.size();
  const size_t sentence = draws.below(found.target.size());
  size_t first = sentence == 0 ? 0 : static_cast<size_t>(found.target[sentence - 1]);
  if (from_middle) first += (static_cast<size_t>(found.target[sentence]) - first) / 2;
  size_t last = std::min(size, first + most);
  for (const int32_t sentence_end : found.target) {
    const auto place = static_cast<size_t>(sentence_end);
    if (place > first && place <= first + most) last = place;  // the last end that fits
  }
  return {found.source.begin() + static_cast<ptrdiff_t>(first), found.source.begin() + static_cast<ptrdiff_t>(last)};
}

MaskedBatchMaker::Example MaskedBatchMaker::divide(const SentencePair& passage, uint32_t number, const PairStore& store,
                                                   Draws& draws) const {
  Example example;
  const auto append = [&example](std::span<const int32_t> part, int32_t end, int32_t segment) {
    example.ids.insert(example.ids.end(), part.begin(), part.end());
    example.ids.push_back(end);
    example.segments.resize(example.ids.size(), segment);
  };
  const std::span<const int32_t> all(passage.source);
  example.ids.push_back(options_.ids.bos);
  if (!options_.next_sentence || all.size() < 2) {
    append(all, options_.ids.eos, 0);
    return example;
  }
  const size_t sentences = passage.target.size();
  const size_t cut = sentences < 2 ? all.size() / 2 : static_cast<size_t>(passage.target[draws.below(sentences - 1)]);
  append(all.first(cut), options_.ids.eos, 0);
  if (!has_other(number, store) || draws.uniform() >= kOtherPassage) {
    append(all.subspan(cut), options_.ids.eos, 1);
    return example;
  }
  append(other_part(number, store, all.size() - cut, /*from_middle=*/sentences < 2, draws), options_.ids.eos, 1);
  example.other = 1;
  return example;
}

/// The places of the tokens that are hidden together: a single token, or all pieces of a word.
std::vector<std::vector<size_t>> MaskedBatchMaker::words_of(const Example& example) const {
  std::vector<std::vector<size_t>> words;
  bool begins = true;
  for (size_t i = 1; i < example.ids.size(); ++i) {
    const int32_t id = example.ids[i];
    if (id == options_.ids.eos) {
      begins = true;
      continue;
    }
    if (begins || !options_.whole_words || begins_word_.at(static_cast<size_t>(id)) != 0) words.emplace_back();
    words.back().push_back(i);
    begins = false;
  }
  return words;
}

void MaskedBatchMaker::hide(Example& example, Draws& draws) const {
  example.labels.assign(example.ids.size(), options_.ids.pad);
  auto words = words_of(example);
  size_t tokens = 0;
  for (const auto& word : words) tokens += word.size();
  const auto wanted =
      std::max<size_t>(1, static_cast<size_t>(std::lround(options_.mask_rate * static_cast<double>(tokens))));
  const int32_t first_word = options_.ids.eos + 1;
  for (size_t drawn = 0; drawn < words.size() && static_cast<size_t>(example.predicted) < wanted; ++drawn) {
    std::swap(words[drawn], words[drawn + draws.below(words.size() - drawn)]);
    if (example.predicted > 0 && static_cast<size_t>(example.predicted) + words[drawn].size() > wanted) continue;
    for (const size_t i : words[drawn]) {
      if (static_cast<size_t>(example.predicted) == wanted) break;  // of a word longer than all that is wanted
      example.labels[i] = example.ids[i];
      ++example.predicted;
      const double what = draws.uniform();
      if (what < kMasked) {
        example.ids[i] = options_.mask_id;
      } else if (what < kMasked + kRandom) {
        example.ids[i] =
            first_word + static_cast<int32_t>(draws.below(static_cast<size_t>(options_.vocab - first_word)));
      }
    }
  }
}

Batch MaskedBatchMaker::make(std::span<const SentencePair> passages, const BatchSource& source) const {
  std::vector<Example> examples;
  Batch batch;
  batch.sentences = static_cast<int64_t>(passages.size());
  for (size_t i = 0; i < passages.size(); ++i) {
    Draws draws(core::derive_seed(core::derive_seed(options_.seed, kMaskingStream), source.epoch, source.numbers[i]));
    examples.push_back(divide(passages[i], source.numbers[i], source.store, draws));
    hide(examples.back(), draws);
    batch.src_len = std::max(batch.src_len, static_cast<int64_t>(examples.back().ids.size()));
    batch.target_tokens += examples.back().predicted;
  }
  batch.tgt_len = batch.src_len;
  batch.target_weight = static_cast<double>(batch.target_tokens);
  const auto size = static_cast<size_t>(batch.sentences * batch.src_len);
  batch.source.assign(size, options_.ids.pad);
  batch.target_out.assign(size, options_.ids.pad);
  batch.segments.assign(size, 0);
  for (size_t row = 0; row < examples.size(); ++row) {
    const auto begin = static_cast<ptrdiff_t>(row * static_cast<size_t>(batch.src_len));
    std::ranges::copy(examples[row].ids, batch.source.begin() + begin);
    std::ranges::copy(examples[row].labels, batch.target_out.begin() + begin);
    std::ranges::copy(examples[row].segments, batch.segments.begin() + begin);
    if (options_.next_sentence) batch.classes.push_back(examples[row].other);
  }
  return batch;
}

}  // namespace ventris::data

#include "lexicon/learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "core/special_ids.h"

namespace ventris::lexicon {
namespace {

constexpr int kMostIterations = 100;
constexpr uint64_t kSampleStream = 0x6c657869636f6e;  // "lexicon"

bool is_special(int32_t id) {
  constexpr core::SpecialIds kIds;
  return id == kIds.pad || id == kIds.unk || id == kIds.bos || id == kIds.eos;
}

void check_range(const char* name, int64_t value, int64_t most) {
  if (value >= 1 && value <= most) return;
  fail<ConfigError>(name, ": must be from 1 to ", most, ", got ", value);
}

/// A random sample of pairs that are offered one by one: those with the lowest numbers, if each pair draws one. Twice
/// as many as are wanted are stored before the others are removed.
class PairSample {
 public:
  explicit PairSample(const LexiconOptions& options)
      : random_(options.seed, kSampleStream), wanted_(static_cast<size_t>(options.max_pairs)) {
    pairs_.begin_part(0);
  }

  void offer(const data::SentencePair& pair) {
    const double draw = random_.uniform(offered_++);
    if (draw >= limit_) return;
    pairs_.add(pair.source, pair.target);
    draws_.push_back(draw);
    if (draws_.size() >= 2 * wanted_) keep_wanted();
  }

  data::ParallelCorpus take() {
    keep_wanted();
    pairs_.compact();
    return std::move(pairs_);
  }

 private:
  void keep_wanted() {
    if (draws_.size() <= wanted_) return;
    std::vector<double> sorted = draws_;
    const auto limit = sorted.begin() + static_cast<std::ptrdiff_t>(wanted_);
    std::ranges::nth_element(sorted, limit);
    limit_ = *limit;
    data::ParallelCorpus kept;
    kept.begin_part(0);
    for (size_t i = 0; i < draws_.size(); ++i) {
      if (draws_[i] < limit_) kept.add(pairs_.source(i), pairs_.target(i));
    }
    pairs_ = std::move(kept);
    std::erase_if(draws_, [this](double draw) { return draw >= limit_; });
  }

  core::RandomStream random_;
  size_t wanted_;
  uint64_t offered_ = 0;
  double limit_ = 1;  // pairs with this number or a greater one are not in the sample
  data::ParallelCorpus pairs_;
  std::vector<double> draws_;  // one for each pair
};

/// The tokens of one side, and how many of them the tokenizer does not know.
struct UnknownTokens {
  int64_t all = 0, unknown = 0;

  void add(std::span<const int32_t> ids) {
    all += static_cast<int64_t>(ids.size());
    unknown += std::ranges::count(ids, core::SpecialIds{}.unk);
  }
  void check(const std::string& file, const char* side) const {
    if (unknown <= all / 3) return;  // of a word of unknown characters, half the tokens are spaces
    fail<DataError>(file, ": ", unknown, " of ", all, " ", side, " tokens are unknown to the ", side,
                    " tokenizer; give the files in the order source, target, and the model of this language pair");
  }
};

data::ParallelCorpus load(const text::Tokenizer& source, const text::Tokenizer& target, const LexiconOptions& options,
                          std::vector<data::CorpusCounts>& counts) {
  for (const data::CorpusFiles& files : options.corpora) data::check_corpus({files});
  PairSample sample(options);
  for (const data::CorpusFiles& files : options.corpora) {
    UnknownTokens of_source, of_target;
    data::ReadOptions reading;
    reading.threads = options.threads;
    counts.push_back(data::read_corpus({files}, source, target, reading, [&](data::SentencePair& pair) {
      of_source.add(pair.source);
      of_target.add(pair.target);
      sample.offer(pair);
    }));
    of_source.check(files.source, "source");
    of_target.check(files.target.empty() ? files.source : files.target, "target");
  }
  return sample.take();
}

/// Target ids that occur, the most frequent first.
std::vector<int32_t> by_frequency(const data::ParallelCorpus& corpus, size_t vocab) {
  std::vector<int64_t> counts(vocab);
  for (size_t pair = 0; pair < corpus.size(); ++pair) {
    for (const int32_t id : corpus.target(pair)) ++counts[static_cast<size_t>(id)];
  }
  std::vector<int32_t> ids(vocab);
  std::iota(ids.begin(), ids.end(), 0);
  std::erase_if(ids, [&](int32_t id) { return counts[static_cast<size_t>(id)] == 0 || is_special(id); });
  std::ranges::stable_sort(ids, std::ranges::greater(), [&](int32_t id) { return counts[static_cast<size_t>(id)]; });
  return ids;
}

}  // namespace

model::Lexicon lexicon_of(const TranslationTable& table, const data::ParallelCorpus& corpus,
                          const model::LexiconTokenizers& tokenizers, int64_t best) {
  std::vector<std::vector<int32_t>> pieces(tokenizers.source_vocab);
  for (size_t id = 0; id < pieces.size(); ++id) {
    std::vector<PieceTranslation> row = table.at(id);
    std::erase_if(row, [](const PieceTranslation& one) { return is_special(one.target); });
    std::ranges::stable_sort(row, std::ranges::greater(),
                             &PieceTranslation::probability);  // equal ones: lower id first
    row.resize(std::min(row.size(), static_cast<size_t>(best)));
    for (const PieceTranslation& one : row) pieces[id].push_back(one.target);
  }
  return {tokenizers, by_frequency(corpus, tokenizers.target_vocab), pieces};
}

LearntLexicon learn_lexicon(const text::Tokenizer& source, const text::Tokenizer& target,
                            const LexiconOptions& options) {
  check_range("--best", options.best, model::Lexicon::kMostPieces);
  check_range("--iterations", options.iterations, kMostIterations);
  check_range("--max-pairs", options.max_pairs, data::kMostPairs);
  std::vector<data::CorpusCounts> counts;
  const data::ParallelCorpus corpus = load(source, target, options, counts);
  const TranslationTable table =
      learn_ibm_model1(corpus, source.size(), target.size(), {options.iterations, options.threads});
  const auto tokenizers = model::lexicon_tokenizers(source.bytes(), source.size(), target.bytes(), target.size());
  return {lexicon_of(table, corpus, tokenizers, options.best), std::move(counts), static_cast<int64_t>(corpus.size())};
}

}  // namespace ventris::lexicon

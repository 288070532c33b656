#include "doctor/doctor_corpora.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.h"
#include "doctor/language_profile.h"
#include "inspection/line_hashes.h"
#include "preparation/training_data.h"

namespace ventris::doctor {
namespace {

constexpr uint64_t kSamplePairs = 50000;
constexpr int64_t kRare = 10;

/// A uniform sample of the given pairs (reservoir sampling).
class PairSample {
 public:
  PairSample(uint64_t size, uint64_t seed, uint64_t stream) : size_(size), random_(seed, stream) {}

  void offer(const data::SentencePair& pair) {
    const uint64_t index = seen_++;
    if (index < size_) {
      pairs_.push_back(pair);
    } else if (const uint64_t place = random_.below(index, index + 1); place < size_) {
      pairs_[place] = pair;
    }
  }
  const std::vector<data::SentencePair>& pairs() const { return pairs_; }

 private:
  uint64_t size_, seen_ = 0;
  core::RandomStream random_;
  std::vector<data::SentencePair> pairs_;
};

/// The shares of the corpora in an epoch, which sum to 1.
std::vector<double> shares_of(const settings::DataConfig& config, const data::StoreSummary& summary) {
  auto shares = preparation::corpus_shares(config, summary);
  if (!shares.empty()) return shares;
  for (const data::CorpusPart& part : summary.parts) {
    shares.push_back(static_cast<double>(part.pairs) / static_cast<double>(summary.pairs()));
  }
  return shares;
}

/// The samples of all corpora, by their shares of an epoch; a small corpus with a large share is repeated.
data::ParallelCorpus mixed(const std::vector<PairSample>& samples, const std::vector<double>& shares,
                           const data::StoreSummary& summary) {
  const auto whole = static_cast<double>(std::min(kSamplePairs, summary.pairs()));
  data::ParallelCorpus mixture;
  for (size_t i = 0; i < samples.size(); ++i) {
    mixture.begin_part(summary.parts[i].tag_tokens);
    const auto& pairs = samples[i].pairs();
    const auto count = static_cast<size_t>(std::max(std::llround(whole * shares[i]), 1LL));
    for (size_t k = 0; k < count; ++k) {
      data::SentencePair pair = pairs[k * pairs.size() / count];
      pair.preceding = std::min(pair.preceding, static_cast<uint32_t>(k));  // other pairs stand for its context
      mixture.add(pair);
    }
  }
  return mixture;
}

class PieceCounts {
 public:
  explicit PieceCounts(const text::Tokenizer& tokenizer) : counts_(static_cast<size_t>(tokenizer.size())) {}

  void add(const std::vector<int32_t>& ids) {
    for (const int32_t id : ids) ++counts_[static_cast<size_t>(id)];
  }

  /// `other` counts the same tokenizer's pieces on the other side; null = there is none.
  TokenizerFit fit(const PieceCounts* other) const {
    TokenizerFit fit;
    fit.pieces = static_cast<int64_t>(counts_.size());
    for (size_t id = 0; id < counts_.size(); ++id) {
      fit.tokens += counts_[id];
      fit.rare += counts_[id] + (other != nullptr ? other->counts_[id] : 0) < kRare ? 1 : 0;
    }
    fit.unknown = counts_[static_cast<size_t>(core::SpecialIds{}.unk)];
    return fit;
  }

 private:
  std::vector<int64_t> counts_;
};

/// The lines of the validation corpus.
struct ValidationLines {
  inspection::Occurrences sources, pairs;
  int64_t lines = 0, same = 0;
  SideProfiles sides;

  void look_up(const data::SentencePair& pair) {
    const uint64_t source = inspection::hash_of(pair.source_text);
    if (sources.look_up(source)) pairs.look_up(inspection::hash_of(source, inspection::hash_of(pair.target_text)));
  }
};

ValidationLines read_validation(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers) {
  ValidationLines valid;
  if (config.data.valid.source.empty()) return valid;
  data::ReadOptions options;
  const bool text = config.data.valid.running_text;  // the filter is that of the validation
  options.filter = {text ? config.data.filter.max_length : config.model->max_length() - 1, 1e9};
  options.threads = static_cast<int>(config.training.threads);
  options.keep_text = true;
  options.labels = config.model->labels();
  const auto add = [&valid, text](const data::SentencePair& pair) {
    valid.lines += 1;
    if (text) return;  // passages have no text
    valid.same += pair.source_text == pair.target_text ? 1 : 0;
    valid.sides.source.add(pair.source_text);
    valid.sides.target.add(pair.target_text);
    const uint64_t source = inspection::hash_of(pair.source_text);
    valid.sources.add(source);
    valid.pairs.add(inspection::hash_of(source, inspection::hash_of(pair.target_text)));
  };
  data::read_corpus({config.data.valid}, tokenizers.source, tokenizers.target, options, add);
  return valid;
}

}  // namespace

CorporaLook look_at_corpora(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers) {
  CorporaLook look;
  ValidationLines valid = read_validation(config, tokenizers);
  PieceCounts source_pieces(tokenizers.source), target_pieces(tokenizers.target);
  data::ReadOptions options = preparation::read_options(config);
  const bool keep_text = std::exchange(options.keep_text, true);
  const auto corpora = config.data.training();
  std::vector<PairSample> samples;
  std::vector<double> target_lengths;  // mean, with eos
  SideProfiles sides;
  for (const data::CorpusSpec& corpus : corpora) {
    look.summary.begin_part(static_cast<uint32_t>(data::tag_ids(tokenizers.source, corpus.tag).size()));
    PairSample& sample = samples.emplace_back(kSamplePairs / corpora.size(), config.training.seed, look.counts.size());
    const int64_t tokens_before = look.summary.target_tokens;
    const auto take = [&](data::SentencePair& pair) {
      if (!corpus.files.running_text) valid.look_up(pair);
      look.same_pairs += !corpus.files.running_text && pair.source_text == pair.target_text ? 1 : 0;
      sides.source.add(pair.source_text);
      sides.target.add(pair.target_text);
      if (!keep_text) pair.source_text.clear();
      if (!keep_text) pair.target_text.clear();
      look.summary.add(pair);
      source_pieces.add(pair.source);
      if (!corpus.files.running_text && !corpus.files.labelled) target_pieces.add(pair.target);
      sample.offer(pair);
    };
    look.counts.push_back(data::read_corpus(corpus, tokenizers.source, tokenizers.target, options, take));
    const auto tokens = static_cast<double>(look.summary.target_tokens - tokens_before);
    target_lengths.push_back(tokens / static_cast<double>(look.summary.parts.back().pairs) + 1);
  }
  const auto shares = shares_of(config.data, look.summary);
  for (size_t i = 0; i < shares.size(); ++i) {
    look.epoch_target_tokens += shares[i] * static_cast<double>(look.summary.pairs()) * target_lengths[i];
  }
  look.sample = mixed(samples, shares, look.summary);
  const bool shared = config.tokenizer.shared;
  look.source = source_pieces.fit(shared ? &target_pieces : nullptr);
  look.target = target_pieces.fit(shared ? &source_pieces : nullptr);
  look.swapped = are_swapped(sides, valid.sides);
  look.valid_same_pairs = valid.same;
  look.valid_pairs = valid.lines;
  look.valid_sources_seen = valid.sources.found();
  look.valid_pairs_seen = valid.pairs.found();
  return look;
}

}  // namespace ventris::doctor

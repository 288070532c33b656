#include "nat/nat_decoder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "nat/choices.h"
#include "nat/ctc.h"
#include "nat/ctc_search.h"

namespace ventris::nat {
namespace {

using decoding::Decoder;
using decoding::Hypothesis;
using decoding::MemoryNeeds;
using decoding::SearchOptions;
using decoding::Sentence;

constexpr const char* kWhere = "decoding";

// Upper bounds of the memory of a search over paths, with its symbols and translations: of a hypothesis and a position,
// and of the widest beam.
constexpr int64_t kBytesOfPrefix = 192, kBytesOfExtensions = 8 << 20;

/// The best symbols of a row, `count` for each position. Throws ModelError if one has no score.
Symbols best_symbols(NatOutput& output, int64_t count = 1) {
  Symbols found = output.best(count);
  if (std::ranges::any_of(found.log_probs, [](float value) { return std::isnan(value); })) {
    fail<ModelError>("the model gave a score that is not a number; its weights are not usable");
  }
  return found;
}

class NatDecoder : public Decoder {
 public:
  explicit NatDecoder(std::unique_ptr<NatScorer> scorer) : scorer_(std::move(scorer)), info_(scorer_->info()) {}

  int64_t max_length() const override { return info_.max_length; }
  MemoryNeeds memory() const override;
  architecture::Writing writing() const override { return architecture::NatArchitecture(info_.options).writing(); }

  std::vector<std::vector<Hypothesis>> decode(std::span<const Sentence> sentences,
                                              const SearchOptions& options) override {
    std::vector<std::vector<Hypothesis>> results;
    for (size_t count = 0; !sentences.empty(); sentences = sentences.subspan(count)) {
      core::throw_if_stopped(kWhere);
      count = fitting(sentences, options);
      for (auto& found : decode_some(sentences.first(count), options)) results.push_back(std::move(found));
    }
    return results;
  }

 private:
  /// The rows of some sentences: several lengths of a sentence are rows of their own.
  struct Choice {
    std::vector<NatRow> rows;
    std::vector<float> length_log_probs;  // empty unless the length is predicted
  };

  size_t fitting(std::span<const Sentence> sentences, const SearchOptions& options) const;
  std::vector<std::vector<Hypothesis>> decode_some(std::span<const Sentence> sentences, const SearchOptions& options);
  Choice choose(std::span<const Sentence> sentences, const SearchOptions& options);
  using Add = std::function<void(size_t row, Draft draft)>;
  void write(std::span<const NatRow> rows, int32_t iterations, const Add& add);
  void write_paths(std::span<const NatRow> rows, int32_t beam, const Add& add);
  bool refine(std::span<const NatRow> rows, int32_t pass, int32_t passes, std::vector<Symbols>& written);

  std::unique_ptr<NatScorer> scorer_;
  const NatInfo& info_;
};

/// With CTC, a sentence has one row, and the search over its paths has the hypotheses.
MemoryNeeds NatDecoder::memory() const {
  MemoryNeeds needs = with_search(info_.decoder_memory);
  if (!info_.options.ctc()) return needs;
  needs.one_row = true;
  needs.searched = info_.options.upsampling * kBytesOfPrefix;
  needs.fixed += kBytesOfExtensions;
  return needs;
}

/// How many sentences to process together: at least one.
size_t NatDecoder::fitting(std::span<const Sentence> sentences, const SearchOptions& options) const {
  const architecture::NatOptions& settings = info_.options;
  int64_t longest = 0;
  size_t count = 0;
  for (; count < sentences.size(); ++count) {
    const auto source = static_cast<int64_t>(sentences[count].source.size());
    if (source == 0) throw std::invalid_argument("NatDecoder: a source has no tokens");
    longest = std::max({longest, source, settings.predicts_length() ? source : settings.positions(source)});
    const auto rows = static_cast<int64_t>(count + 1) * options.length_candidates;
    if (count > 0 && rows * longest > info_.positions_at_once) break;
  }
  return count;
}

std::vector<std::vector<Hypothesis>> NatDecoder::decode_some(std::span<const Sentence> sentences,
                                                             const SearchOptions& options) {
  std::vector<std::span<const int32_t>> sources;
  for (const Sentence& sentence : sentences) sources.push_back(sentence.source);
  scorer_->encode(sources);
  const Choice choice = choose(sentences, options);
  std::vector<std::vector<Hypothesis>> results(sentences.size());
  const auto add = [&](size_t row, Draft draft) {
    const size_t sentence = choice.rows[row].sentence;
    const int64_t most = greatest_length(sentences[sentence], options, info_.max_length);
    if (!choice.length_log_probs.empty()) draft.log_probs.push_back(choice.length_log_probs[row]);
    results[sentence].push_back(hypothesis_of(std::move(draft), most, options));
  };
  if (info_.options.ctc()) {
    write_paths(choice.rows, options.beam_size, add);
  } else {
    write(choice.rows, options.iterations, add);
  }
  for (auto& found : results) keep_best(found, options.n_best);
  return results;
}

NatDecoder::Choice NatDecoder::choose(std::span<const Sentence> sentences, const SearchOptions& options) {
  const architecture::NatOptions& settings = info_.options;
  Choice choice;
  std::span<const float> known;  // [sentences, classes]
  if (settings.predicts_length()) known = scorer_->length_log_probs();
  const size_t classes = known.size() / sentences.size();
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto source = static_cast<int64_t>(sentences[i].source.size());
    if (!settings.predicts_length()) {
      choice.rows.push_back({i, settings.positions(source)});
      continue;
    }
    const int64_t most = greatest_length(sentences[i], options, info_.max_length) - 1;  // without eos
    for (const auto& [length, log_prob] : best_lengths(known.subspan(i * classes, classes), source,
                                                       std::max<int64_t>(most, 1), options.length_candidates)) {
      choice.rows.push_back({i, length});
      choice.length_log_probs.push_back(log_prob);
    }
  }
  return choice;
}

/// Adds one draft for each row.
void NatDecoder::write(std::span<const NatRow> rows, int32_t iterations, const Add& add) {
  std::vector<Symbols> written(rows.size());
  scorer_->run({rows}, [&](size_t row, NatOutput& output) { written[row] = best_symbols(output); });
  for (int32_t pass = 1; pass < iterations && refine(rows, pass, iterations, written); ++pass) {
  }
  for (size_t row = 0; row < rows.size(); ++row) {
    Symbols& symbols = written[row];
    if (info_.options.predicts_length()) {
      add(row, {std::move(symbols.ids), std::move(symbols.log_probs), true});
    } else {
      add(row, up_to_eos(symbols.ids, symbols.log_probs, info_.ids.eos));
    }
  }
}

/// A pass of mask-predict after the first one. Rows that are too short to have hidden tokens stay as they are. Returns
/// false if no row has any.
bool NatDecoder::refine(std::span<const NatRow> rows, int32_t pass, int32_t passes, std::vector<Symbols>& written) {
  core::throw_if_stopped(kWhere);
  std::vector<NatRow> again;
  std::vector<size_t> numbers;              // of these rows in `written`
  std::vector<std::vector<size_t>> hidden;  // of these rows: positions
  std::vector<int32_t> ids;
  std::vector<uint8_t> wanted;
  for (size_t row = 0; row < rows.size(); ++row) {
    const Symbols& symbols = written[row];
    std::vector<size_t> places = least_sure(symbols.log_probs, hidden_tokens(symbols.ids.size(), pass, passes));
    if (places.empty()) continue;
    const size_t first = ids.size();
    ids.insert(ids.end(), symbols.ids.begin(), symbols.ids.end());
    wanted.resize(ids.size(), 0);
    for (const size_t place : places) {
      ids[first + place] = info_.ids.bos;
      wanted[first + place] = 1;
    }
    again.push_back(rows[row]);
    numbers.push_back(row);
    hidden.push_back(std::move(places));
  }
  if (again.empty()) return false;
  scorer_->run({.rows = again, .ids = ids, .wanted = wanted}, [&](size_t row, NatOutput& output) {
    const Symbols found = best_symbols(output);
    Symbols& symbols = written[numbers[row]];
    for (size_t i = 0; i < found.ids.size(); ++i) {
      symbols.ids[hidden[row][i]] = found.ids[i];
      symbols.log_probs[hidden[row][i]] = found.log_probs[i];
    }
  });
  return true;
}

/// Adds, for each row, the translation of its best path, or with a beam over 1, those that a search over the paths
/// finds. Their log-probabilities are those of all paths.
void NatDecoder::write_paths(std::span<const NatRow> rows, int32_t beam, const Add& add) {
  const int32_t blank = info_.ids.pad;
  scorer_->run({rows}, [&](size_t row, NatOutput& output) {
    const int64_t symbols_of_position = beam > 1 ? beam + 1 : 1;  // one of them may be the blank
    const Symbols best = best_symbols(output, symbols_of_position);
    std::vector<std::vector<int32_t>> found;
    if (beam > 1) {
      found = ctc_prefix_search(best.ids, best.log_probs, static_cast<size_t>(symbols_of_position), blank,
                                static_cast<size_t>(beam));
    } else {
      found.push_back(ctc_collapse(best.ids, blank));
    }
    if (found.empty()) fail<ModelError>("the model gave no symbol a probability; its weights are not usable");
    for (std::vector<int32_t>& ids : found) {
      core::throw_if_stopped(kWhere);
      std::vector<float> log_probs = ctc_log_probs(output, ids, blank);
      add(row, {std::move(ids), std::move(log_probs), true});
    }
  });
}

}  // namespace

std::unique_ptr<Decoder> make_nat_decoder(std::unique_ptr<NatScorer> scorer) {
  return std::make_unique<NatDecoder>(std::move(scorer));
}

}  // namespace ventris::nat

#include "backend/nat_decoder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "backend/nat_pair_scorer.h"
#include "backend/nat_rows.h"
#include "core/error.h"
#include "core/process.h"
#include "decoding/ctc.h"
#include "decoding/nat.h"

namespace ventris::backend {
namespace {

using decoding::Draft;
using decoding::Hypothesis;
using decoding::SearchOptions;
using decoding::Sentence;
using torch::Tensor;

constexpr size_t kPositionsAtOnce = 4096;  // positions to compute between two checks of the stop signal
constexpr const char* kWhere = "decoding";

/// The most probable symbols of every position of some rows, [rows, longest] row by row.
struct Written {
  int64_t longest = 0;
  std::vector<int32_t> ids;
  std::vector<float> log_probs;

  std::span<const int32_t> ids_of(size_t row, int64_t length) const {
    return std::span(ids).subspan(row * static_cast<size_t>(longest), static_cast<size_t>(length));
  }
  std::span<const float> log_probs_of(size_t row, int64_t length) const {
    return std::span(log_probs).subspan(row * static_cast<size_t>(longest), static_cast<size_t>(length));
  }
};

/// The number of the largest of log_probs [rows, len, vocab] at each position, and its value: [rows, len] on the host.
/// (torch's argmax takes as long as a whole layer of a small model.)
std::pair<Tensor, Tensor> largest(const Tensor& log_probs) {
  const Tensor values = log_probs.amax(2).to(torch::kCPU).contiguous();
  if (!log_probs.is_cpu()) return {log_probs.argmax(2).to(torch::kCPU, torch::kInt).contiguous(), values};
  const Tensor all = log_probs.contiguous();
  const Tensor ids = torch::zeros(values.sizes(), torch::kInt);
  const int64_t vocab = all.size(2);
  const auto *row = all.const_data_ptr<float>(), *value = values.const_data_ptr<float>();
  auto* id = ids.data_ptr<int32_t>();
  for (int64_t i = 0; i < values.numel(); ++i, row += vocab) {
    const auto* found = std::find(row, row + vocab, value[i]);
    id[i] = found == row + vocab ? 0 : static_cast<int32_t>(found - row);  // a NaN is found nowhere
  }
  return {ids, values};
}

class NatDecoder : public decoding::Decoder {
 public:
  NatDecoder(nn::NatModel model, const architecture::NatOptions& settings, const ScorerOptions& options)
      : model_(std::move(model)), settings_(settings), options_(options) {
    for (const int32_t id : options.never) {
      if (!settings.ctc() || id != options.ids.pad) never_.push_back(id);  // with CTC, pad is the blank
    }
    if (settings.ctc() || settings.predicts_length()) never_.push_back(options.ids.eos);
  }

  int64_t max_length() const override { return options_.max_length; }
  core::Writing writing() const override { return architecture::NatArchitecture(settings_).writing(); }

  std::vector<std::vector<Hypothesis>> decode(std::span<const Sentence> sentences,
                                              const SearchOptions& options) override {
    const c10::InferenceMode inference;
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
    std::vector<int64_t> sentences, lengths;
    std::vector<float> length_log_probs;  // empty unless the length is predicted
  };

  size_t fitting(std::span<const Sentence> sentences, const SearchOptions& options) const;
  std::vector<std::vector<Hypothesis>> decode_some(std::span<const Sentence> sentences, const SearchOptions& options);
  Choice choose(const nn::Memory& memory, std::span<const Sentence> sentences, const SearchOptions& options);
  std::vector<Draft> write(const NatRows& rows, int32_t iterations);
  std::vector<Draft> write_paths(const NatRows& rows);
  Written best_symbols(const Tensor& hidden);
  void refine(const NatRows& rows, int32_t iterations, Written& written);

  nn::NatModel model_;
  architecture::NatOptions settings_;
  ScorerOptions options_;
  std::vector<int64_t> never_;
};

/// How many sentences to process together: at least one.
size_t NatDecoder::fitting(std::span<const Sentence> sentences, const SearchOptions& options) const {
  size_t longest = 0, count = 0;
  for (; count < sentences.size(); ++count) {
    const auto source = static_cast<int64_t>(sentences[count].source.size());
    if (source == 0) throw std::invalid_argument("NatDecoder: a source has no tokens");
    const int64_t positions = settings_.predicts_length() ? source : settings_.positions(source);
    longest = std::max(longest, static_cast<size_t>(std::max(source, positions)));
    const size_t rows = (count + 1) * static_cast<size_t>(options.length_candidates);
    if (count > 0 && rows * longest > kPositionsAtOnce) break;
  }
  return count;
}

std::vector<std::vector<Hypothesis>> NatDecoder::decode_some(std::span<const Sentence> sentences,
                                                             const SearchOptions& options) {
  std::vector<std::span<const int32_t>> spans;
  for (const Sentence& sentence : sentences) spans.push_back(sentence.source);
  const PaddedSources sources = pad_sources(spans, options_);
  const nn::Memory memory = model_->encode(sources.ids, sources.mask);
  const Choice choice = choose(memory, sentences, options);
  const NatRows rows(sources, memory, choice.sentences, choice.lengths);
  std::vector<Draft> drafts = settings_.ctc() ? write_paths(rows) : write(rows, options.iterations);
  std::vector<std::vector<Hypothesis>> results(sentences.size());
  for (size_t row = 0; row < drafts.size(); ++row) {
    if (!choice.length_log_probs.empty()) drafts[row].log_probs.push_back(choice.length_log_probs[row]);
    const auto sentence = static_cast<size_t>(choice.sentences[row]);
    const int64_t most = decoding::greatest_length(sentences[sentence], options, options_.max_length);
    results[sentence].push_back(decoding::hypothesis_of(std::move(drafts[row]), most, options));
  }
  for (auto& found : results) decoding::keep_best(found, options.n_best);
  return results;
}

NatDecoder::Choice NatDecoder::choose(const nn::Memory& memory, std::span<const Sentence> sentences,
                                      const SearchOptions& options) {
  Choice choice;
  Tensor known;  // [sentences, classes]
  if (settings_.predicts_length()) known = model_->length_log_probs(memory).to(torch::kCPU, torch::kFloat).contiguous();
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto row = static_cast<int64_t>(i), source = static_cast<int64_t>(sentences[i].source.size());
    if (!known.defined()) {
      choice.sentences.push_back(row);
      choice.lengths.push_back(settings_.positions(source));
      continue;
    }
    const auto classes = static_cast<size_t>(known.size(1));
    const int64_t most = decoding::greatest_length(sentences[i], options, options_.max_length) - 1;  // without eos
    for (const auto& [length, log_prob] :
         decoding::best_lengths({known.const_data_ptr<float>() + i * classes, classes}, source,
                                std::max<int64_t>(most, 1), options.length_candidates)) {
      choice.sentences.push_back(row);
      choice.lengths.push_back(length);
      choice.length_log_probs.push_back(log_prob);
    }
  }
  return choice;
}

Written NatDecoder::best_symbols(const Tensor& hidden) {
  const Tensor never = torch::tensor(never_).to(hidden.device());
  Written written;
  written.longest = hidden.size(1);
  for_log_probs(*model_, hidden, [&](int64_t /*first*/, int64_t /*count*/, Tensor log_probs) {
    const auto [ids, best] = largest(log_probs.index_fill_(2, never, -std::numeric_limits<float>::infinity()));
    const auto* scores = best.const_data_ptr<float>();
    const auto* symbols = ids.const_data_ptr<int32_t>();
    written.log_probs.insert(written.log_probs.end(), scores, scores + best.numel());
    written.ids.insert(written.ids.end(), symbols, symbols + ids.numel());
  });
  if (std::ranges::any_of(written.log_probs, [](float value) { return std::isnan(value); })) {
    fail<ModelError>("the model gave a score that is not a number; its weights are not usable");
  }
  return written;
}

std::vector<Draft> NatDecoder::write(const NatRows& rows, int32_t iterations) {
  Written written = best_symbols(rows.first_pass(*model_));
  if (iterations > 1) refine(rows, iterations, written);
  std::vector<Draft> drafts;
  for (size_t row = 0; row < rows.lengths.size(); ++row) {
    const auto ids = written.ids_of(row, rows.lengths[row]);
    const auto log_probs = written.log_probs_of(row, rows.lengths[row]);
    if (settings_.predicts_length()) {
      drafts.push_back({{ids.begin(), ids.end()}, {log_probs.begin(), log_probs.end()}, true});
    } else {
      drafts.push_back(decoding::up_to_eos(ids, log_probs, options_.ids.eos));
    }
  }
  return drafts;
}

/// The passes of mask-predict after the first one.
void NatDecoder::refine(const NatRows& rows, int32_t iterations, Written& written) {
  const auto longest = static_cast<size_t>(written.longest);
  for (int32_t pass = 1; pass < iterations; ++pass) {
    core::throw_if_stopped(kWhere);
    std::vector<int64_t> input(written.ids.begin(), written.ids.end());
    std::vector<size_t> hidden;  // indices into [rows, longest]
    for (size_t row = 0; row < rows.lengths.size(); ++row) {
      const int64_t length = rows.lengths[row];
      const size_t count = decoding::hidden_tokens(static_cast<size_t>(length), pass, iterations);
      for (const size_t at : decoding::least_sure(written.log_probs_of(row, length), count)) {
        hidden.push_back(row * longest + at);
        input[hidden.back()] = options_.ids.bos;
      }
    }
    if (hidden.empty()) return;
    const Tensor ids = torch::tensor(input).view({rows.size(), written.longest}).to(options_.device);
    const Written again = best_symbols(model_->decode(rows.memory, model_->embed(ids), rows.tgt_mask));
    for (const size_t at : hidden) {
      written.ids[at] = again.ids[at];
      written.log_probs[at] = again.log_probs[at];
    }
  }
}

std::vector<Draft> NatDecoder::write_paths(const NatRows& rows) {
  const Tensor never = torch::tensor(never_).to(options_.device);
  std::vector<Draft> drafts;
  for_log_probs(*model_, rows.first_pass(*model_), [&](int64_t first, int64_t count, Tensor log_probs) {
    log_probs.index_fill_(2, never, -std::numeric_limits<float>::infinity());
    const Tensor paths = largest(log_probs).first;  // [count, longest]
    for (int64_t row = 0; row < count; ++row) {
      const int64_t length = rows.lengths[static_cast<size_t>(first + row)];
      const auto* path = paths.const_data_ptr<int32_t>() + row * paths.size(1);
      Draft draft;
      draft.ids = decoding::ctc_collapse({path, static_cast<size_t>(length)}, options_.ids.pad);
      draft.log_probs = ctc_log_probs(log_probs[row].narrow(0, 0, length), draft.ids, options_.ids.pad);
      drafts.push_back(std::move(draft));
    }
  });
  return drafts;
}

class NatFactory : public decoding::ScorerFactory {
 public:
  NatFactory(nn::NatModel model, const architecture::NatOptions& settings, const ScorerOptions& options)
      : model_(std::move(model)), settings_(settings), options_(options) {}

  std::unique_ptr<decoding::Decoder> make_decoder() const override {
    return make_nat_decoder(model_, settings_, options_);
  }
  std::unique_ptr<decoding::StepScorer> make() const override {
    throw std::logic_error("ScorerFactory: this model does not write token by token");
  }
  std::unique_ptr<decoding::PairScorer> make_pair_scorer() const override {
    return make_nat_pair_scorer(model_, settings_, options_);
  }

 private:
  nn::NatModel model_;
  architecture::NatOptions settings_;
  ScorerOptions options_;
};

}  // namespace

std::unique_ptr<decoding::Decoder> make_nat_decoder(nn::NatModel model, const architecture::NatOptions& settings,
                                                    const ScorerOptions& options) {
  return std::make_unique<NatDecoder>(std::move(model), settings, options);
}

std::unique_ptr<decoding::ScorerFactory> make_nat_factory(nn::NatModel model, const architecture::NatOptions& settings,
                                                          const ScorerOptions& options) {
  return std::make_unique<NatFactory>(std::move(model), settings, options);
}

}  // namespace ventris::backend

#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "architecture/rnn_options.h"
#include "model/package.h"
#include "model/safetensors.h"
#include "support/shape_of.h"
#include "support/table_scorer.h"
#include "support/tiny_text.h"

/// A "model" that copies its source, so that what comes out can be told from what went in.
namespace ventris::test {

/// Nearly all probability on the source's next token, then on eos; a little on the word after it, so that n-best lists
/// differ.
inline Table copy_table(int32_t vocab) {
  return [vocab](const Ids& source, const Ids& prefix) {
    std::vector<double> weights(static_cast<size_t>(vocab), 1e-6);
    const size_t at = prefix.size();
    const int32_t next = at < source.size() ? source[at] : 3;
    weights[static_cast<size_t>(next)] = 1.0;
    const int32_t after = 4 + (next + 1) % (vocab - 4);
    weights[static_cast<size_t>(after)] += 0.1;
    return log_shares(weights);
  };
}

/// Tokenizer and settings of a model that has learnt the lines of tiny_text.
inline model::Package copying_package(int64_t max_positions = 64) {
  static const text::Tokenizer tokenizer = tiny_tokenizer(text::TokenizerKind::kUnigram);
  model::Package package;
  package.path = "tiny package";
  package.source_spm = package.target_spm = tokenizer.bytes();
  auto& shape = shape_of(package.config);
  shape.src_vocab = shape.tgt_vocab = tokenizer.size();
  shape.max_positions = max_positions;
  shape.d_model = 8;
  shape.d_ff = 4;
  shape.heads = 2;
  shape.encoder_layers = shape.decoder_layers = 1;
  package.config.decoding.beam_size = 2;
  return package;
}

/// A word that is one piece of this tokenizer, with the space before it, and in no sentence of tests about context.
inline std::string separating_word() {
  const text::Tokenizer tokenizer(copying_package().source_spm, "tiny");
  const std::string taken = "The driver My sister The bridge Nobody sees bread";
  for (int32_t id = 4; id < tokenizer.size(); ++id) {
    const std::string word = tokenizer.decode(Ids{id});
    const bool whole = word.size() > 1 && tokenizer.piece(id) == "\u2581" + word && tokenizer.encode(word) == Ids{id};
    if (whole && taken.find(word) == std::string::npos) return word;
  }
  throw std::logic_error("no piece of the tokenizer is a word");
}

inline decoding::ScorerInfo info_of(const model::Package& package) {
  const auto& ids = package.config.tokenizer.ids;
  const auto& shape = *package.config.architecture;
  return {ids.bos, ids.eos, static_cast<int32_t>(shape.tgt_vocab()), shape.max_length()};
}

inline std::shared_ptr<decoding::ScorerFactory> copy_factory(const model::Package& package) {
  const auto info = info_of(package);
  return std::make_shared<TableFactory>(copy_table(info.vocab), info, Ids{0, 1, 2});
}

/// The same, but its models need a MiB for each hypothesis and token.
inline std::shared_ptr<const decoding::ScorerFactory> large_factory(const model::Package& package) {
  decoding::ScorerInfo info = info_of(package);
  info.memory.place = int64_t{1} << 20;
  info.refills = true;
  return std::make_shared<TableFactory>(copy_table(info.vocab), info, Ids{0, 1, 2});
}

/// Writes a bundle with these settings and tokenizers, and weights of nothing but zeros.
inline std::string write_zero_bundle(const std::string& path, const model::Package& package) {
  std::vector<std::pair<std::string, std::vector<int64_t>>> tensors;
  size_t most = 0;
  package.config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    tensors.emplace_back(name, shape);
    most = std::max(most, static_cast<size_t>(4 * model::elements_of(shape)));
  });
  const std::string zeros(most, '\0');
  std::vector<model::TensorView> views;
  for (const auto& [name, shape] : tensors) {
    const auto bytes = static_cast<size_t>(4 * model::elements_of(shape));
    views.push_back({name, model::DType::kF32, shape, std::string_view(zeros).substr(0, bytes)});
  }
  const std::string weights = model::write_safetensors(views, {});
  model::write_bundle(path, package, weights);
  return path;
}

/// Writes a bundle of the model that copies.
inline std::string write_copying_bundle(const std::string& path) { return write_zero_bundle(path, copying_package()); }

/// Writes a bundle of a model that needs LibTorch.
inline std::string write_recurrent_bundle(const std::string& path) {
  model::Package package = copying_package();
  architecture::RnnOptions shape;
  shape.d_embedding = shape.d_hidden = 4;
  shape.src_vocab = package.config.architecture->src_vocab();
  shape.tgt_vocab = package.config.architecture->tgt_vocab();
  package.config.architecture = std::make_shared<architecture::RnnArchitecture>(shape);
  return write_zero_bundle(path, package);
}

}  // namespace ventris::test

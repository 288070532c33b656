#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "model/package.h"
#include "model/safetensors.h"
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
    weights[static_cast<size_t>(4 + (next + 1) % (vocab - 4))] += 0.1;
    return log_shares(weights);
  };
}

/// Tokenizer and settings of a model that has learnt the lines of tiny_text.
inline model::Package tiny_package(int64_t max_positions = 64) {
  static const text::Tokenizer tokenizer = tiny_tokenizer(text::TokenizerKind::kUnigram);
  model::Package package;
  package.path = "tiny package";
  package.source_spm = package.target_spm = tokenizer.bytes();
  package.config.transformer.src_vocab = package.config.transformer.tgt_vocab = tokenizer.size();
  package.config.transformer.max_positions = max_positions;
  package.config.transformer.d_model = 8;
  package.config.transformer.d_ff = 4;
  package.config.transformer.heads = 2;
  package.config.transformer.encoder_layers = package.config.transformer.decoder_layers = 1;
  package.config.decoding.beam_size = 2;
  return package;
}

inline decoding::ScorerInfo info_of(const model::Package& package) {
  const auto& ids = package.config.tokenizer.ids;
  const auto& shape = package.config.transformer;
  return {ids.bos, ids.eos, static_cast<int32_t>(shape.tgt_vocab), shape.max_positions};
}

inline std::shared_ptr<decoding::ScorerFactory> copy_factory(const model::Package& package) {
  const auto info = info_of(package);
  return std::make_shared<TableFactory>(copy_table(info.vocab), info, Ids{0, 1, 2});
}

/// Writes a bundle of that model: real settings and tokenizer, and weights of nothing but zeros.
inline std::string write_tiny_bundle(const std::string& path) {
  const model::Package package = tiny_package();
  const auto& shape = package.config.transformer;
  const std::string zeros(static_cast<size_t>(4 * shape.tgt_vocab * shape.d_model), '\0');
  const std::string_view row(zeros.data(), static_cast<size_t>(4 * shape.tgt_vocab));
  const std::string_view inner(zeros.data(), static_cast<size_t>(4 * shape.d_ff * shape.d_model));
  const std::vector<int64_t> matrix{shape.tgt_vocab, shape.d_model}, vector{shape.tgt_vocab};
  const std::vector<int64_t> w_1{shape.d_ff, shape.d_model};
  const auto type = model::DType::kF32;
  const std::string weights = model::write_safetensors({{"src_embed.0.lut.weight", type, matrix, zeros},
                                                        {"tgt_embed.0.lut.weight", type, matrix, zeros},
                                                        {"generator.proj.weight", type, matrix, zeros},
                                                        {"generator.proj.bias", type, vector, row},
                                                        {"encoder.layers.0.feed_forward.w_1.weight", type, w_1, inner},
                                                        {"decoder.layers.0.feed_forward.w_1.weight", type, w_1, inner}},
                                                       {});
  model::write_bundle(path, package, weights);
  return path;
}

}  // namespace ventris::test

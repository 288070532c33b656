#include "exports/marian_parameters.h"

#include <algorithm>
#include <utility>

#include "core/special_ids.h"
#include "model/floats.h"

namespace ventris::exports {
namespace {

using architecture::NormKind;
using architecture::NormPlace;
using architecture::TransformerOptions;
using architecture::Tying;

class MarianParameters {
 public:
  MarianParameters(const model::Safetensors& weights, const TransformerOptions& options, int64_t multiple)
      : weights_(weights), options_(options), d_(options.d_model), multiple_(multiple) {}

  std::vector<MarianParameter> all() {
    tables();
    for (int64_t i = 0; i < options_.encoder_layers; ++i) encoder_layer(i);
    for (int64_t i = 0; i < options_.decoder_layers; ++i) decoder_layer(i);
    for (const std::string side : {"encoder", "decoder"}) {
      if (options_.has_final_norm()) norm(side + "_top", side + ".norm", "");
      const std::string embedding = side == "encoder" ? "src_embed.1.norm" : "tgt_embed.1.norm";
      if (options_.embedding_norm) norm(side + "_emb", embedding, "_pre");
    }
    return std::move(parameters_);
  }

 private:
  void add(const std::string& name, std::vector<int64_t> shape, std::vector<float> values) {
    parameters_.push_back({name, std::move(shape), std::move(values)});
  }
  /// 0 for a bias that the model does not have.
  std::vector<float> values(const std::string& name, int64_t count) const {
    if (!weights_.contains(name)) return std::vector<float>(static_cast<size_t>(count), 0.0F);
    return model::floats_of(weights_, weights_.at(name));
  }
  void matrix(const std::string& theirs, const std::string& ours, int64_t in, int64_t out) {
    const std::vector<float> weight = values(ours, in * out);
    std::vector<float> turned(weight.size());
    for (int64_t row = 0; row < out; ++row) {
      for (int64_t i = 0; i < in; ++i)
        turned[static_cast<size_t>(i * out + row)] = weight[static_cast<size_t>(row * in + i)];
    }
    add(theirs, {in, out}, std::move(turned));
  }
  void vector(const std::string& theirs, const std::string& ours, int64_t width) {
    add(theirs, {1, width}, values(ours, width));
  }
  void norm(const std::string& theirs, const std::string& ours, const std::string& suffix) {
    const bool rms = options_.norm_kind == NormKind::kRms;
    vector(theirs + (rms ? "_rms_scale" : "_ln_scale") + suffix, ours + ".weight", d_);
    if (!rms) vector(theirs + "_ln_bias" + suffix, ours + ".bias", d_);
  }
  void block_norm(const std::string& theirs, const std::string& layer, int number) {
    norm(theirs, layer + ".sublayer." + std::to_string(number) + ".norm",
         options_.norm == NormPlace::kPre ? "_pre" : "");
  }
  void attention(const std::string& theirs, const std::string& ours) {
    const std::string letters = "qkvo";
    for (size_t i = 0; i < letters.size(); ++i) {
      const std::string linear = ours + ".linears." + std::to_string(i);
      matrix(theirs + "_W" + letters[i], linear + ".weight", d_, d_);
      vector(theirs + "_b" + letters[i], linear + ".bias", d_);
    }
  }
  void feed_forward(const std::string& theirs, const std::string& layer, int64_t inner) {
    const std::string ours = layer + ".feed_forward.";
    matrix(theirs + "_ffn_W1", ours + "w_1.weight", d_, inner);
    vector(theirs + "_ffn_b1", ours + "w_1.bias", inner);
    matrix(theirs + "_ffn_W2", ours + "w_2.weight", inner, d_);
    vector(theirs + "_ffn_b2", ours + "w_2.bias", d_);
  }
  void encoder_layer(int64_t i) {
    const std::string ours = "encoder.layers." + std::to_string(i), theirs = "encoder_l" + std::to_string(i + 1);
    attention(theirs + "_self", ours + ".self_attn");
    block_norm(theirs + "_self_Wo", ours, 0);
    feed_forward(theirs, ours, options_.d_ff);
    block_norm(theirs + "_ffn_ffn", ours, 1);
  }
  void decoder_layer(int64_t i) {
    const std::string ours = "decoder.layers." + std::to_string(i), theirs = "decoder_l" + std::to_string(i + 1);
    if (options_.has_ssru()) {
      matrix(theirs + "_rnn_W", ours + ".ssru.input.weight", d_, d_);
      matrix(theirs + "_rnn_Wf", ours + ".ssru.forget.weight", d_, d_);
      vector(theirs + "_rnn_bf", ours + ".ssru.forget.bias", d_);
      block_norm(theirs + (options_.norm == NormPlace::kPre ? "_rnn" : "_rnn_ffn"), ours, 0);
    } else {
      attention(theirs + "_self", ours + ".self_attn");
      block_norm(theirs + "_self_Wo", ours, 0);
    }
    attention(theirs + "_context", ours + ".src_attn");
    block_norm(theirs + "_context_Wo", ours, 1);
    feed_forward(theirs, ours, options_.decoder_side().d_ff);
    block_norm(theirs + "_ffn_ffn", ours, 2);
  }

  /// The rows of [vocab, width] in the order of Marian; `filler` is what the others have.
  std::vector<float> rows(const std::string& ours, int64_t vocab, int64_t width, float filler) const {
    const std::vector<float> all = values(ours, vocab * width);
    std::vector<float> theirs;
    for (const int64_t row : marian_order(vocab, multiple_)) {
      const auto first = all.begin() + std::max<int64_t>(row, 0) * width;
      if (row == kFillerRow) {
        theirs.resize(theirs.size() + static_cast<size_t>(width), filler);
      } else {
        theirs.insert(theirs.end(), first, first + width);
      }
    }
    return theirs;
  }
  void table(const std::string& theirs, const std::string& ours, int64_t vocab) {
    std::vector<float> taken = rows(ours, vocab, d_, 0);
    const int64_t count = static_cast<int64_t>(taken.size()) / d_;
    add(theirs, {count, d_}, std::move(taken));
  }
  /// A tied table is stored once.
  void tables() {
    const std::string source = "src_embed.0.lut.weight", target = "tgt_embed.0.lut.weight";
    if (options_.tying == Tying::kAll) {
      table("Wemb", source, options_.src_vocab);
    } else {
      table("encoder_Wemb", source, options_.src_vocab);
      table("decoder_Wemb", target, options_.tgt_vocab);
    }
    if (options_.tying == Tying::kNone) table("decoder_ff_logit_out_Wt", "generator.proj.weight", options_.tgt_vocab);
    constexpr float kNever = -1e9F;
    std::vector<float> bias = rows("generator.proj.bias", options_.tgt_vocab, 1, kNever);
    const auto count = static_cast<int64_t>(bias.size());
    add("decoder_ff_logit_out_b", {1, count}, std::move(bias));
  }

  const model::Safetensors& weights_;
  const TransformerOptions& options_;
  int64_t d_, multiple_;
  std::vector<MarianParameter> parameters_;
};

}  // namespace

std::vector<int64_t> marian_order(int64_t vocab, int64_t multiple) {
  const core::SpecialIds ids;
  std::vector<int64_t> rows{ids.eos, ids.unk};
  for (int64_t id = 0; id < vocab; ++id) {
    if (id != ids.pad && id != ids.bos && id != ids.eos && id != ids.unk) rows.push_back(id);
  }
  while (static_cast<int64_t>(rows.size()) % multiple != 0) rows.push_back(kFillerRow);
  return rows;
}

std::vector<MarianParameter> marian_parameters(const model::Safetensors& weights, const TransformerOptions& options,
                                               int64_t multiple) {
  return MarianParameters(weights, options, multiple).all();
}

bool starts_with_zeros(const model::Safetensors& weights, const TransformerOptions& options) {
  const bool shared = options.tying == Tying::kAll;
  const auto& table = weights.at(shared ? "src_embed.0.lut.weight" : "tgt_embed.0.lut.weight");
  const std::vector<float> values = model::floats_of(weights, table);
  const auto first = values.begin() + core::SpecialIds().bos * options.d_model;
  return std::all_of(first, first + options.d_model, [](float value) { return value == 0; });
}

}  // namespace ventris::exports

#include "backend/module_attention.h"

#include <stdexcept>

#include "core/error.h"
#include "nn/attention_watch.h"
#include "nn/masks.h"
#include "text/tokenizer.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

/// ids -> [1, len] on the device of the model.
Tensor to_tensor(std::span<const int32_t> ids, const nn::Seq2Seq& model) {
  const Tensor tensor = torch::tensor(std::vector<int64_t>(ids.begin(), ids.end())).unsqueeze(0);
  return tensor.to(model->parameters().front().device());
}

/// weights [1, heads, q_len, k_len]
model::AttentionLayer to_layer(const Tensor& weights) {
  const Tensor plain = weights.to(torch::kCPU).to(torch::kFloat).contiguous();
  const auto* first = plain.const_data_ptr<float>();
  return {plain.size(1), plain.size(2), plain.size(3), {first, first + plain.numel()}};
}

/// The watched weights of `count` blocks.
std::vector<model::AttentionLayer> kept(const nn::AttentionWatch& watch, size_t count) {
  std::vector<model::AttentionLayer> layers;
  for (size_t i = 0; i < count; ++i) layers.push_back(to_layer(watch.kept(i)));
  return layers;
}

std::vector<std::string> pieces(const text::Tokenizer& tokenizer, std::span<const int32_t> ids) {
  std::vector<std::string> labels;
  for (const int32_t id : ids) labels.push_back(tokenizer.piece(id));
  return labels;
}

/// The most tokens of a side, to which bos or eos is added.
size_t most_tokens(const model::Package& package) {
  return static_cast<size_t>(package.config.architecture->max_length()) - 1;
}

void check_length(const char* side, const std::vector<int32_t>& ids, size_t most) {
  if (!ids.empty() && ids.size() <= most) return;
  fail<DataError>("the ", side, " sentence: expected 1 to ", most, " tokens, found ", ids.size(),
                  "; give a sentence of this length");
}

}  // namespace

model::AttentionMaps attention_maps(const nn::Seq2Seq& model, std::span<const int32_t> source,
                                    std::span<const int32_t> target) {
  if (source.empty() || target.empty()) throw std::invalid_argument("attention_maps: expected tokens on both sides");
  const torch::NoGradGuard no_grad;
  const nn::AttentionBlocks blocks = model->attention_blocks();
  const nn::AttentionWatch encoder(blocks.encoder), decoder(blocks.decoder), cross(blocks.cross);
  const Tensor src = to_tensor(source, model), tgt = to_tensor(target, model);
  model->forward(src, tgt, {}, nn::subsequent_mask(tgt.size(1), tgt.device()));
  return {kept(encoder, blocks.encoder.size()), kept(decoder, blocks.decoder.size()), kept(cross, blocks.cross.size())};
}

model::SentenceAttention sentence_attention(const nn::Seq2Seq& model, const model::Package& package,
                                            const std::string& source, const std::string& target,
                                            LongTarget long_target) {
  const text::Tokenizer reader(package.source_spm, "source.spm"), writer(package.target_spm, "target.spm");
  const auto& policy = package.config.tokenizer;
  std::vector<int32_t> read = reader.encode(source), produced = writer.encode(target);
  const size_t most = most_tokens(package);
  if (long_target == LongTarget::kCut && produced.size() > most) produced.resize(most);
  check_length("source", read, most);
  check_length("target", produced, most);
  if (policy.source_eos) read.push_back(policy.ids.eos);
  produced.push_back(policy.ids.eos);
  std::vector<int32_t> prefix{policy.ids.bos};
  prefix.insert(prefix.end(), produced.begin(), produced.end() - 1);
  return {{pieces(reader, read), pieces(writer, prefix), pieces(writer, produced)},
          attention_maps(model, read, prefix)};
}

}  // namespace ventris::backend

#include "backend/attention_maps.h"

#include "core/error.h"
#include "nn/masks.h"
#include "text/tokenizer.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

/// ids -> [1, len] on the device of the model.
Tensor to_tensor(std::span<const int32_t> ids, const nn::EncoderDecoder& model) {
  const Tensor tensor = torch::tensor(std::vector<int64_t>(ids.begin(), ids.end())).unsqueeze(0);
  return tensor.to(model->parameters().front().device());
}

/// weights [1, heads, q_len, k_len]
AttentionLayer to_layer(const Tensor& weights) {
  const Tensor plain = weights.to(torch::kCPU).to(torch::kFloat).contiguous();
  const auto* first = plain.const_data_ptr<float>();
  return {plain.size(1), plain.size(2), plain.size(3), {first, first + plain.numel()}};
}

/// The connection round a block of a layer.
nn::SublayerConnectionImpl& connection(const torch::nn::ModuleList& sublayers, size_t which) {
  return *sublayers->ptr<nn::SublayerConnectionImpl>(which);
}

/// One attention block of a layer with the connection round it; its weights go to `layers`. `memory` undefined =
/// attention to x itself. x [1, len, d_model] -> the same.
Tensor watch(nn::SublayerConnectionImpl& around, nn::MultiHeadAttention& attention, const Tensor& x,
             const Tensor& memory, const Tensor& mask, std::vector<AttentionLayer>& layers) {
  return around.forward(x, [&](const Tensor& query) {
    const Tensor& key = memory.defined() ? memory : query;
    auto [mixed, weights] = attention->forward_with_weights(query, key, key, mask);
    layers.push_back(to_layer(weights));
    return mixed;
  });
}

/// x [1, src_len, d_model] -> memory [1, src_len, d_model]
Tensor watch_encoder(nn::EncoderImpl& encoder, Tensor x, std::vector<AttentionLayer>& layers) {
  for (size_t i = 0; i < encoder.layers->size(); ++i) {
    auto& layer = *encoder.layers->ptr<nn::EncoderLayerImpl>(i);
    x = watch(connection(layer.sublayer, 0), layer.self_attn, x, {}, {}, layers);
    x = connection(layer.sublayer, 1).forward(x, [&](const Tensor& z) { return layer.feed_forward(z); });
  }
  return encoder.norm.is_empty() ? x : encoder.norm(x);
}

/// x [1, tgt_len, d_model], memory [1, src_len, d_model]
void watch_decoder(nn::DecoderImpl& decoder, Tensor x, const Tensor& memory, AttentionMaps& maps) {
  const Tensor mask = nn::subsequent_mask(x.size(1), x.device());
  for (size_t i = 0; i < decoder.layers->size(); ++i) {
    auto& layer = *decoder.layers->ptr<nn::DecoderLayerImpl>(i);
    x = watch(connection(layer.sublayer, 0), layer.self_attn, x, {}, mask, maps.decoder);
    x = watch(connection(layer.sublayer, 1), layer.src_attn, x, memory, {}, maps.cross);
    x = connection(layer.sublayer, 2).forward(x, [&](const Tensor& z) { return layer.feed_forward(z); });
  }
}

std::vector<std::string> pieces(const text::Tokenizer& tokenizer, std::span<const int32_t> ids) {
  std::vector<std::string> labels;
  for (const int32_t id : ids) labels.push_back(tokenizer.piece(id));
  return labels;
}

void check_length(const char* side, const std::vector<int32_t>& ids, const model::Package& package) {
  const auto most = static_cast<size_t>(package.config.transformer.max_positions) - 1;  // bos or eos is added
  if (!ids.empty() && ids.size() <= most) return;
  fail<DataError>("the ", side, " sentence: expected 1 to ", most, " tokens, found ", ids.size(),
                  "; attention needs a sentence that the model can read");
}

}  // namespace

AttentionMaps attention_maps(nn::EncoderDecoder& model, std::span<const int32_t> source,
                             std::span<const int32_t> target) {
  const torch::NoGradGuard no_grad;
  AttentionMaps maps;
  const Tensor memory =
      watch_encoder(*model->encoder, model->src_embed->forward(to_tensor(source, model)), maps.encoder);
  watch_decoder(*model->decoder, model->tgt_embed->forward(to_tensor(target, model)), memory, maps);
  return maps;
}

SentenceAttention sentence_attention(nn::EncoderDecoder& model, const model::Package& package,
                                     const std::string& source, const std::string& target) {
  const text::Tokenizer reader(package.source_spm, "source.spm"), writer(package.target_spm, "target.spm");
  const auto& policy = package.config.tokenizer;
  std::vector<int32_t> read = reader.encode(source), produced = writer.encode(target);
  check_length("source", read, package);
  check_length("target", produced, package);
  if (policy.source_eos) read.push_back(policy.ids.eos);
  produced.push_back(policy.ids.eos);
  std::vector<int32_t> prefix{policy.ids.bos};
  prefix.insert(prefix.end(), produced.begin(), produced.end() - 1);
  return {{pieces(reader, read), pieces(writer, prefix), pieces(writer, produced)},
          attention_maps(model, read, prefix)};
}

}  // namespace ventris::backend

#include "backend/transformer_script_source.h"

#include <fmt/format.h>

#include <cmath>

#include "backend/script_builder.h"

namespace ventris::backend {

std::string TransformerScriptSource::layer_norm() const {
  return fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.layer_norm(x, [{}], self.weight, self.bias, 1e-05)
)",
                     options.d_model);
}

std::string TransformerScriptSource::embeddings() const {
  return fmt::format(R"(
def forward(self, ids: Tensor) -> Tensor:
    return self.lut.forward(ids) * {:#.17g}
)",
                     std::sqrt(static_cast<double>(options.d_model)));
}

std::string TransformerScriptSource::positional_encoding() const {
  return R"(
def forward(self, x: Tensor) -> Tensor:
    return self.dropout.forward(x + self.pe[:, :x.size(1)])
)";
}

std::string TransformerScriptSource::embed_sequence() const {
  return R"(
def forward(self, ids: Tensor) -> Tensor:
    return getattr(self, "1").forward(getattr(self, "0").forward(ids))
)";
}

std::string TransformerScriptSource::attention() const {
  const int64_t d_head = options.d_model / options.heads;
  return fmt::format(R"(
def split_heads(self, x: Tensor) -> Tensor:
    return x.view([x.size(0), -1, {heads}, {d_head}]).transpose(1, 2)

def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    q = self.split_heads(getattr(self.linears, "0").forward(query))
    k = self.split_heads(getattr(self.linears, "1").forward(key))
    v = self.split_heads(getattr(self.linears, "2").forward(value))
    visible = mask.unsqueeze(1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / {scale:#.17g}
    scores = scores.masked_fill(torch.logical_not(visible), float("-inf"))
    weights = torch.softmax(scores, -1)
    weights = weights.masked_fill(torch.logical_not(torch.any(visible, -1, True)), 0.0)
    weights = self.dropout.forward(weights)
    mixed = torch.matmul(weights, v).transpose(1, 2).contiguous()
    return getattr(self.linears, "3").forward(mixed.view([query.size(0), -1, {d_model}]))
)",
                     fmt::arg("heads", options.heads), fmt::arg("d_head", d_head), fmt::arg("d_model", options.d_model),
                     fmt::arg("scale", std::sqrt(static_cast<double>(d_head))));
}

std::string TransformerScriptSource::feed_forward() const {
  return fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    return self.w_2.forward(self.dropout.forward(torch.{}(self.w_1.forward(x))))
)",
                     options.activation == architecture::Activation::kGelu ? "gelu" : "relu");
}

std::string TransformerScriptSource::residual(int index, const std::string& block) const {
  const std::string sublayer = fmt::format("getattr(self.sublayer, \"{}\")", index);
  if (options.norm == architecture::NormPlace::kPre) {
    return fmt::format("    y = {0}.norm.forward(x)\n    x = x + {0}.dropout.forward({1})\n", sublayer, block);
  }
  return fmt::format("    y = x\n    x = {0}.norm.forward(x + {0}.dropout.forward({1}))\n", sublayer, block);
}

std::string TransformerScriptSource::encoder_layer() const {
  return "\ndef forward(self, x: Tensor, mask: Tensor) -> Tensor:\n" +
         residual(0, "self.self_attn.forward(y, y, y, mask)") + residual(1, "self.feed_forward.forward(y)") +
         "    return x\n";
}

std::string TransformerScriptSource::decoder_layer() const {
  return "\ndef forward(self, x: Tensor, memory: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:\n" +
         residual(0, "self.self_attn.forward(y, y, y, tgt_mask)") +
         residual(1, "self.src_attn.forward(y, memory, memory, src_mask)") +
         residual(2, "self.feed_forward.forward(y)") + "    return x\n";
}

std::string TransformerScriptSource::encoder() const {
  std::string text = "\ndef forward(self, x: Tensor, mask: Tensor) -> Tensor:\n";
  for (int64_t i = 0; i < options.encoder_layers; ++i) {
    text += fmt::format("    x = getattr(self.layers, \"{}\").forward(x, mask)\n", i);
  }
  return text +
         (options.norm == architecture::NormPlace::kPre ? "    return self.norm.forward(x)\n" : "    return x\n");
}

std::string TransformerScriptSource::decoder() const {
  std::string text = "\ndef forward(self, x: Tensor, memory: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:\n";
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    text += fmt::format("    x = getattr(self.layers, \"{}\").forward(x, memory, src_mask, tgt_mask)\n", i);
  }
  return text +
         (options.norm == architecture::NormPlace::kPre ? "    return self.norm.forward(x)\n" : "    return x\n");
}

std::string TransformerScriptSource::encoder_decoder() const {
  return R"(
def encode(self, src: Tensor, src_mask: Tensor) -> Tensor:
    return self.encoder.forward(self.src_embed.forward(src), src_mask)

def decode(self, memory: Tensor, src_mask: Tensor, tgt: Tensor, tgt_mask: Tensor) -> Tensor:
    return self.decoder.forward(self.tgt_embed.forward(tgt), memory, src_mask, tgt_mask)

def forward(self, src: Tensor, tgt: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:
    return self.decode(self.encode(src, src_mask), src_mask, tgt, tgt_mask)
)" + script_source::greedy(ids);
}

}  // namespace ventris::backend

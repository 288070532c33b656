#include "scripting/transformer_script_source.h"

#include <fmt/format.h>

#include <cmath>

#include "architecture/relative_buckets.h"
#include "attention/score.h"
#include "scripting/search_script_source.h"

namespace ventris::scripting {

using architecture::Activation;
using architecture::AttentionScore;
using architecture::CrossAttention;
using architecture::NormKind;
using architecture::Positions;

namespace {

/// An expression of `inner`.
std::string activated(Activation activation) {
  switch (activation) {
    case Activation::kRelu: return "torch.relu(inner)";
    case Activation::kGelu: return "torch.gelu(inner)";
    case Activation::kSilu: return "torch.silu(inner)";
    case Activation::kGeluTanh: return "torch.gelu(inner, approximate=\"tanh\")";
    case Activation::kGeluSigmoid: return "inner * torch.sigmoid(1.702 * inner)";
  }
  return "";
}

/// An expression of `x` [batch, len, d_model], whose first position is `start`.
std::string with_positions(Positions positions) {
  switch (positions) {
    case Positions::kSinusoidal:
    case Positions::kHalvedSinusoidal:
    case Positions::kLearned: return "x + self.pe[:, start:start + x.size(1)]";
    case Positions::kRelative:
    case Positions::kRotary:
    case Positions::kRelativeBias: return "x";
  }
  return "";
}

/// As rotate() of attention/rotation.h, after the heads are split: x [batch, heads, len, width].
constexpr const char* kRotate = R"(
def rotate(self, x: Tensor, start: int) -> Tensor:
    turns = self.rotation[start:start + x.size(2)]
    cos = turns[:, :, 0]
    sin = turns[:, :, 1]
    pairs = x.view([x.size(0), x.size(1), x.size(2), -1, 2])
    a = pairs[:, :, :, :, 0]
    b = pairs[:, :, :, :, 1]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)
)";

/// Attention to a source; a mask without positions hides nothing.
constexpr const char* kSee = R"(
def see(self, query: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    if mask.size(2) == 0:
        return self.look(query, 0, k, v)
    return self.attend(query, 0, k, v, mask)
)";

}  // namespace

std::string TransformerScriptSource::norm() const {
  const char* head = "\ndef forward(self, x: Tensor) -> Tensor:\n";
  switch (options.norm_kind) {
    case NormKind::kLayer:
      return head + fmt::format("    return torch.layer_norm(x, [{}], self.weight, self.bias, {})\n", options.d_model,
                                options.norm_epsilon);
    case NormKind::kRms:
      return head + fmt::format("    return x * torch.rsqrt(torch.mean(x * x, [-1], True) + {}) * self.weight\n",
                                options.norm_epsilon);
  }
  return "";
}

std::string TransformerScriptSource::embeddings() const {
  return fmt::format(R"(
def forward(self, ids: Tensor) -> Tensor:
    return self.lut.forward(ids) * {:#.17g}
)",
                     options.embedding_factor());
}

std::string TransformerScriptSource::positional_encoding() const {
  const std::string sum = with_positions(options.positions);
  return fmt::format(R"(
def at(self, x: Tensor, start: int) -> Tensor:
    return self.dropout.forward({})

def forward(self, x: Tensor) -> Tensor:
    return self.at(x, 0)
)",
                     options.embedding_norm ? fmt::format("self.norm.forward({})", sum) : sum);
}

std::string TransformerScriptSource::embed_sequence() const {
  return R"(
def at(self, ids: Tensor, start: int) -> Tensor:
    return getattr(self, "1").at(getattr(self, "0").forward(ids), start)

def forward(self, ids: Tensor) -> Tensor:
    return self.at(ids, 0)
)";
}

std::string TransformerScriptSource::score() const {
  const auto forward = [](const std::string& body) {
    return "\ndef forward(self, q: Tensor, k: Tensor) -> Tensor:\n" + body;
  };
  const std::string products = "torch.matmul(q, k.transpose(-2, -1))";
  switch (options.attention_score) {
    case AttentionScore::kScaledDot: break;
    case AttentionScore::kDot: return forward("    return " + products + "\n");
    case AttentionScore::kCosine:
      return forward(fmt::format("    scale = torch.exp(torch.clamp(self.log_scale, max={:#.17g})).view([-1, 1, 1])\n",
                                 std::log(attention::ScoreImpl::kLargestScale))) +
             fmt::format(
                 "    q = q / torch.clamp(torch.norm(q, 2, [-1], True), min={0:#.17g}) * scale\n"
                 "    k = k / torch.clamp(torch.norm(k, 2, [-1], True), min={0:#.17g})\n",
                 attention::ScoreImpl::kSmallestNorm) +
             "    return " + products + "\n";
    case AttentionScore::kBilinear:
      return forward("    q = torch.matmul(q, self.weight)\n    return " + products + "\n");
    case AttentionScore::kAdditive:
      return forward(
          "    sums = torch.tanh(q.unsqueeze(3) + k.unsqueeze(2))\n"
          "    return torch.matmul(sums, self.vector.unsqueeze(1).unsqueeze(-1)).squeeze(-1)\n");
    case AttentionScore::kGaussian:
      return forward("    return " + products + " - torch.sum(k * k, [-1]).unsqueeze(-2) / 2\n");
  }
  return "";
}

/// As attention/relative_bias.h; self.starts are those of the buckets.
std::string TransformerScriptSource::relative_bias(bool causal) const {
  const int64_t half = architecture::RelativeBuckets::of_encoder(options).of_direction();
  const std::string far = causal ? "torch.clamp(-apart, min=0)" : "torch.abs(apart)";
  const std::string after = causal ? "" : fmt::format(" + torch.gt(apart, 0) * {}", half);
  return fmt::format(R"(
def forward(self, length: int, start: int) -> Tensor:
    places = torch.arange(length, device=self.starts.device)
    apart = places.unsqueeze(0) - places[start:].unsqueeze(1)
    bucket = torch.bucketize({far}, self.starts, right=True){after}
    return torch.embedding(self.weight, bucket).permute([2, 0, 1]).unsqueeze(0)
)",
                     fmt::arg("far", far), fmt::arg("after", after));
}

std::string TransformerScriptSource::attention(Positions positions) const {
  const bool rotary = positions == Positions::kRotary, biased = positions == Positions::kRelativeBias;
  const int64_t keys = options.key_width(), values = options.value_width();
  const std::string scaled =
      fmt::format("torch.matmul(q, k.transpose(-2, -1)) / {:#.17g}", std::sqrt(static_cast<double>(keys)));
  const bool plain = options.attention_score == AttentionScore::kScaledDot;
  return (rotary ? kRotate : "") +
         fmt::format(
             R"(
def split_heads(self, x: Tensor) -> Tensor:
    return x.view([x.size(0), -1, {heads}, {d_head}]).transpose(1, 2)

def keys(self, x: Tensor, start: int) -> Tensor:
    k = self.split_heads(getattr(self.linears, "1").forward(x))
    return {keys}

def values(self, x: Tensor) -> Tensor:
    return self.split_heads(getattr(self.linears, "2").forward(x))

def compare(self, query: Tensor, start: int, k: Tensor{parameter}) -> Tensor:
    q = self.split_heads(getattr(self.linears, "0").forward(query))
{rotated}    return {scores}{added}

def mix(self, weights: Tensor, v: Tensor) -> Tensor:
    mixed = torch.matmul(self.dropout.forward(weights), v).transpose(1, 2)
    return getattr(self.linears, "3").forward(mixed.reshape([v.size(0), -1, {width}]))

def look(self, query: Tensor, start: int, k: Tensor, v: Tensor{parameter}) -> Tensor:
    return self.mix(torch.softmax(self.compare(query, start, k{argument}), -1), v)

def attend(self, query: Tensor, start: int, k: Tensor, v: Tensor, mask: Tensor{parameter}) -> Tensor:
    visible = mask.unsqueeze(1)
    scores = self.compare(query, start, k{argument})
    scores = scores.masked_fill(torch.logical_not(visible), float("-inf"))
    weights = torch.softmax(scores, -1)
    weights = weights.masked_fill(torch.logical_not(torch.any(visible, -1, True)), 0.0)
    return self.mix(weights, v)
{see}
def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor{parameter}) -> Tensor:
    return self.attend(query, 0, self.keys(key, 0), self.values(value), mask{argument})
)",
             fmt::arg("see", biased ? "" : kSee), fmt::arg("heads", options.heads),
             fmt::arg("keys", rotary ? "self.rotate(k, start)" : "k"),
             fmt::arg("rotated", rotary ? "    q = self.rotate(q, start)\n" : ""),
             fmt::arg("parameter", biased ? ", bias: Tensor" : ""), fmt::arg("argument", biased ? ", bias" : ""),
             fmt::arg("added", biased ? " + bias" : ""),
             fmt::arg("d_head", keys == values ? std::to_string(keys) : fmt::format("x.size(2) // {}", options.heads)),
             fmt::arg("width", options.heads * values),
             fmt::arg("scores", plain ? scaled : "self.score.forward(q, k)"));
}

/// step() takes one position and the cell before it [batch, 1, d_model].
std::string TransformerScriptSource::ssru() const {
  return R"(
def step(self, x: Tensor, cell: Tensor) -> Tensor:
    return torch.lerp(self.input.forward(x), cell, torch.sigmoid(self.forget.forward(x)))

def forward(self, x: Tensor) -> Tensor:
    gates = torch.sigmoid(self.forget.forward(x))
    inputs = self.input.forward(x)
    cell = torch.zeros_like(inputs[:, 0])
    cells = []
    for t in range(x.size(1)):
        cell = torch.lerp(inputs[:, t], cell, gates[:, t])
        cells.append(cell)
    return torch.relu(torch.stack(cells, 1))
)";
}

std::string TransformerScriptSource::feed_forward() const {
  std::string inner = activated(options.activation);
  if (options.gated_feed_forward) inner += " * self.w_3.forward(x)";
  return fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    inner = self.w_1.forward(x)
    return self.w_2.forward(self.dropout.forward({}))
)",
                     inner);
}

/// As families/mixture_of_experts.h, expert by expert.
std::string TransformerScriptSource::mixture_of_experts() const {
  const bool several = options.experts_per_token > 1;
  std::string text =
      fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    tokens = x.flatten(0, -2)
    shares, chosen = torch.topk(torch.softmax(self.router.forward(tokens).float(), -1), {}, -1)
{}    result = torch.zeros_like(tokens)
)",
                  options.experts_per_token, several ? "    shares = shares / torch.sum(shares, [-1], True)\n" : "");
  for (int64_t i = 0; i < options.experts; ++i) {
    text += fmt::format(R"(
    picks = torch.nonzero(torch.eq(chosen, {0}))
    rows = picks[:, 0]
    output = getattr(self.experts, "{0}").forward(tokens.index_select(0, rows))
    result = result.index_add(0, rows, output * shares[rows, picks[:, 1]].unsqueeze(-1).to(output.dtype))
)",
                        i);
  }
  return text + "    return result.view(x.size())\n";
}

std::string TransformerScriptSource::residual(int index, const std::string& block, const std::string& first) const {
  const std::string sublayer = fmt::format("getattr(self.sublayer, \"{}\")", index);
  const bool pre = options.norm == architecture::NormPlace::kPre;
  const std::string input = pre ? sublayer + ".norm.forward(x)" : "x",
                    sum = fmt::format("x + {}.dropout.forward({})", sublayer, block),
                    output = pre ? sum : fmt::format("{}.norm.forward({})", sublayer, sum);
  return "    y = " + input + "\n" + first + "    x = " + output + "\n";
}

/// The parameter and the argument that layers and their self-attention have more with relative_bias.
std::string TransformerScriptSource::bias_parameter() const {
  return options.has_relative_bias() ? ", bias: Tensor" : "";
}
std::string TransformerScriptSource::bias_argument() const { return options.has_relative_bias() ? ", bias" : ""; }
/// The line that makes it for all layers, for queries from position `start` on.
std::string TransformerScriptSource::make_bias(const std::string& length, const std::string& start) const {
  if (!options.has_relative_bias()) return "";
  return "    bias = self.relative_bias.forward(" + length + ", " + start + ")\n";
}

std::string TransformerScriptSource::encoder_layer() const {
  return "\ndef forward(self, x: Tensor, mask: Tensor" + bias_parameter() + ") -> Tensor:\n" +
         residual(0, "self.self_attn.forward(y, y, y, mask" + bias_argument() + ")") +
         residual(1, "self.feed_forward.forward(y)") + "    return x\n";
}

std::string TransformerScriptSource::decoder_layer() const {
  const std::string attention = "self.self_attn.forward(y, y, y, tgt_mask" + bias_argument() + ")";
  return "\ndef forward(self, x: Tensor, memory: Tensor, src_mask: Tensor, tgt_mask: Tensor" + bias_parameter() +
         ") -> Tensor:\n" + residual(0, options.has_ssru() ? "self.ssru.forward(y)" : attention) +
         residual(1, "self.src_attn.forward(y, memory, memory, src_mask)") +
         residual(2, "self.feed_forward.forward(y)") + "    return x\n" + (has_cache() ? decoder_layer_steps() : "");
}

bool TransformerScriptSource::has_cache() const {
  using architecture::SelfAttention;
  switch (options.self_attention) {
    case SelfAttention::kFull:
    case SelfAttention::kSsru:
    case SelfAttention::kLowRank: return true;  // it is only in the encoder
    case SelfAttention::kWindow:
    case SelfAttention::kLinear:
    case SelfAttention::kSegment: return false;
  }
  return false;
}

/// What a layer keeps: the cell of its SSRU, or keys and values of the positions so far; and keys and values of the
/// source.
int64_t TransformerScriptSource::state_size() const { return options.has_ssru() ? 3 : 4; }

std::string TransformerScriptSource::decoder_layer_steps() const {
  const std::string own = options.has_ssru() ? "torch.zeros_like(memory[:, :1])" : "k[:, :, :0], v[:, :, :0]",
                    of_source = fmt::format("state[{}], state[{}]", state_size() - 2, state_size() - 1),
                    kept = options.has_ssru() ? "cell" : "k, v";
  const std::string ssru = residual(0, "torch.relu(cell)", "    cell = self.ssru.step(y, state[0])\n");
  const std::string attention = residual(0, "self.self_attn.look(y, start, k, v" + bias_argument() + ")",
                                         R"(    k = torch.cat([state[0], self.self_attn.keys(y, start)], 2)
    v = torch.cat([state[1], self.self_attn.values(y)], 2)
)");
  return R"(
def start(self, memory: Tensor) -> List[Tensor]:
    k = self.src_attn.keys(memory, 0)
    v = self.src_attn.values(memory)
)" + fmt::format("    return [{}, k, v]\n", own) +
         R"(
def step(self, x: Tensor, state: List[Tensor], src_mask: Tensor, start: int)" +
         bias_parameter() + ") -> Tuple[Tensor, List[Tensor]]:\n" + (options.has_ssru() ? ssru : attention) +
         residual(1, fmt::format("self.src_attn.see(y, {}, src_mask)", of_source)) +
         residual(2, "self.feed_forward.forward(y)") + fmt::format("    return (x, [{}, {}])\n", kept, of_source);
}

/// Returns the output of the encoder [batch, src_len, d_model], or those of all layers [layers, batch, src_len,
/// d_model].
std::string TransformerScriptSource::encoder() const {
  const bool all = options.cross_attention != CrossAttention::kLast;
  const std::string output = options.has_final_norm() ? "self.norm.forward(x)" : "x";
  std::string text = "\ndef forward(self, x: Tensor, mask: Tensor) -> Tensor:\n" + make_bias("x.size(1)", "0"), outputs;
  for (int64_t i = 0; i < options.encoder_layers; ++i) {
    text += fmt::format("    x = getattr(self.layers, \"{}\").forward(x, mask{})\n", i, bias_argument());
    if (all) text += fmt::format("    y{} = {}\n", i, output);
    outputs += fmt::format("{}y{}", i == 0 ? "" : ", ", i);
  }
  return text + "    return " + (all ? "torch.stack([" + outputs + "], 0)" : output) + "\n";
}

/// An expression of the input of the decoder; `self` is the whole model, `layers` what the encoder returned.
std::string TransformerScriptSource::decoder_input() const {
  std::string seen;
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    if (i > 0) seen += ", ";
    if (options.cross_attention == CrossAttention::kLayerwise) {
      seen += fmt::format("layers[{}]", architecture::attended_layer(options, i));
    } else {
      seen += fmt::format(
          "torch.sum(layers * torch.softmax(getattr(self.decoder.layers, \"{}\").src_mixture, 0).view([-1, 1, 1, 1]), "
          "[0])",
          i);
    }
  }
  return "torch.cat([" + seen + "], 2)";
}

std::string TransformerScriptSource::encode() const {
  const std::string head = "\ndef encode(self, src: Tensor, src_mask: Tensor) -> Tensor:\n";
  const std::string call = "self.encoder.forward(self.src_embed.forward(src), src_mask)";
  if (options.cross_attention == CrossAttention::kLast) return head + "    return " + call + "\n";
  const std::string input =
      options.cross_attention == CrossAttention::kMean ? "torch.mean(layers, [0])" : decoder_input();
  return head + "    layers = " + call + "\n    return " + input + "\n";
}

std::string TransformerScriptSource::memory_of(int64_t layer) const {
  const bool apart =
      options.cross_attention == CrossAttention::kLayerwise || options.cross_attention == CrossAttention::kWeighted;
  if (!apart) return "memory";
  return fmt::format("memory[:, :, {}:{}]", layer * options.d_model, (layer + 1) * options.d_model);
}

/// start() and step() of the stack: the states of its layers one after the other.
std::string TransformerScriptSource::decoder_steps() const {
  std::string starts, states,
      steps =
          "\ndef step(self, x: Tensor, state: List[Tensor], src_mask: Tensor, start: int) -> Tuple[Tensor, "
          "List[Tensor]]:\n" +
          make_bias("start + 1", "start");
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    const char* plus = i == 0 ? "" : " + ";
    starts += fmt::format("{}getattr(self.layers, \"{}\").start({})", plus, i, memory_of(i));
    states += fmt::format("{}s{}", plus, i);
    steps += fmt::format("    x, s{0} = getattr(self.layers, \"{0}\").step(x, state[{1}:{2}], src_mask, start{3})\n", i,
                         i * state_size(), (i + 1) * state_size(), bias_argument());
  }
  return "\ndef start(self, memory: Tensor) -> List[Tensor]:\n    return " + starts + "\n" + steps + "    return (" +
         (options.has_final_norm() ? "self.norm.forward(x)" : "x") + ", " + states + ")\n";
}

std::string TransformerScriptSource::decoder() const {
  std::string text = "\ndef forward(self, x: Tensor, memory: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:\n" +
                     make_bias("x.size(1)", "0");
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    text += fmt::format("    x = getattr(self.layers, \"{}\").forward(x, {}, src_mask, tgt_mask{})\n", i, memory_of(i),
                        bias_argument());
  }
  text += options.has_final_norm() ? "    return self.norm.forward(x)\n" : "    return x\n";
  return text + (has_cache() ? decoder_steps() : "");
}

/// decode_step() embeds only the last token. The state of a batch begins with the mask of the source, which has no
/// positions if nothing is padding.
std::string TransformerScriptSource::steps() const {
  return R"(
def start(self, memory: Tensor, src_mask: Tensor) -> List[Tensor]:
    mask = src_mask[:, :, :0] if bool(torch.all(src_mask)) else src_mask
    return [mask] + self.decoder.start(memory)

def decode_step(self, tgt: Tensor, state: List[Tensor]) -> Tuple[Tensor, List[Tensor]]:
    start = tgt.size(1) - 1
    x, rest = self.decoder.step(self.tgt_embed.at(tgt[:, start:], start), state[1:], state[0], start)
    return (self.generator.forward(x[:, 0]), [state[0]] + rest)
)";
}

std::string TransformerScriptSource::encoder_decoder() const {
  return encode() + R"(
def decode(self, memory: Tensor, src_mask: Tensor, tgt: Tensor, tgt_mask: Tensor) -> Tensor:
    return self.decoder.forward(self.tgt_embed.forward(tgt), memory, src_mask, tgt_mask)

def forward(self, src: Tensor, tgt: Tensor, src_mask: Tensor, tgt_mask: Tensor) -> Tensor:
    return self.decode(self.encode(src, src_mask), src_mask, tgt, tgt_mask)
)" + (has_cache() ? steps() : script_source::steps_without_cache()) +
         script_source::greedy(ids) + script_source::beam(ids);
}

}  // namespace ventris::scripting

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "attention/linear_attention.h"
#include "scripting/transformer_script_source.h"

/// Self-attention for long inputs (docs/attention.md), computed as in lib/modules/attention: in blocks, by sums, with
/// mixtures, in segments.
namespace ventris::scripting {
namespace {

using architecture::AttentionScore;
using architecture::Positions;
using architecture::SelfAttention;
using architecture::TransformerOptions;

constexpr int64_t kChunk = 64;  // positions of causal linear attention whose weights are computed together

/// Splitting heads, and attention of projections to `visible` keys (which broadcasts to [batch, heads, q_len, k_len]),
/// or of scores [batch, heads, q_len, k_len], with the output projection.
std::string attention_methods(const TransformerOptions& options) {
  const std::string scaled = fmt::format("torch.matmul(q, k.transpose(-2, -1)) / {:#.17g}",
                                         std::sqrt(static_cast<double>(options.key_width())));
  const bool plain = options.attention_score == AttentionScore::kScaledDot;
  return fmt::format(R"(
def split_heads(self, x: Tensor) -> Tensor:
    return x.reshape([x.size(0), x.size(1), {heads}, x.size(2) // {heads}]).transpose(1, 2)

def project(self, mixed: Tensor) -> Tensor:
    return getattr(self.linears, "3").forward(mixed.transpose(1, 2).flatten(2))

def attend(self, query: Tensor, key: Tensor, value: Tensor, visible: Tensor) -> Tensor:
    q = self.split_heads(query)
    k = self.split_heads(key)
    return self.mix({scores}, value, visible)

def mix(self, scores: Tensor, value: Tensor, visible: Tensor) -> Tensor:
    scores = scores.masked_fill(torch.logical_not(visible), float("-inf"))
    weights = torch.softmax(scores, -1)
    weights = weights.masked_fill(torch.logical_not(torch.any(visible, -1, True)), 0.0)
    return self.project(torch.matmul(self.dropout.forward(weights), self.split_heads(value)))
)",
                     fmt::arg("heads", options.heads), fmt::arg("scores", plain ? scaled : "self.score.forward(q, k)"));
}

std::string forward_method(const std::string& body) {
  return R"(
def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    q = getattr(self.linears, "0").forward(query)
    k = getattr(self.linears, "1").forward(key)
    v = getattr(self.linears, "2").forward(value)
)" + body;
}

/// What forward() does with global positions, of which there are some. `of_globals`: what queries see of them.
std::string global_lines(int64_t globals, bool causal) {
  const std::string lines = fmt::format(R"(
    globals = min({globals}, length)
    seen_globals = visible[:, :globals].unsqueeze(1).unsqueeze(1)
)",
                                        fmt::arg("globals", globals));
  const std::string order = R"(
    at = torch.arange(blocks * size, device=query.device).view([1, blocks, size, 1])
    seen_globals = torch.logical_and(seen_globals, torch.le(torch.arange(globals, device=query.device), at))
)";
  return lines + (causal ? order : "") + R"(
    seen = torch.cat([seen_globals.expand([seen.size(0), blocks, size, globals]), seen], 3)
    near_k = torch.cat([k[:, :globals].unsqueeze(1).expand([-1, blocks, -1, -1]), near_k], 2)
    near_v = torch.cat([v[:, :globals].unsqueeze(1).expand([-1, blocks, -1, -1]), near_v], 2)
)";
}

std::string windowed_attention(const TransformerOptions& options, bool causal) {
  const int64_t count = causal ? 2 : 3;
  std::string parts;
  for (int64_t i = 0; i < count; ++i) {
    parts += fmt::format("{}padded[:, {}:{} + blocks * {}].reshape([x.size(0), blocks, {}, x.size(2)])",
                         i == 0 ? "" : ", ", i * options.window, i * options.window, options.window, options.window);
  }
  const std::string neighbourhoods = fmt::format(
      R"(
def neighbourhoods(self, x: Tensor, blocks: int) -> Tensor:
    padded = torch.constant_pad_nd(x, [0, 0, {size}, (blocks + {count} - 2) * {size} - x.size(1)])
    return torch.cat([{parts}], 2)
)",
      fmt::arg("size", options.window), fmt::arg("count", count), fmt::arg("parts", parts));
  const bool some_globals = options.global_positions > 0;
  const std::string body = fmt::format(
      R"(
    length = query.size(1)
    size = {size}
    if length <= size + 1:
        return self.attend(q, k, v, mask.unsqueeze(1))
    blocks = (length + size - 1) // size
    visible = mask[:, -1].expand([mask.size(0), length])
    local = torch.logical_and(visible, torch.ge(torch.arange(length, device=query.device), {globals})).unsqueeze(2)
    apart = torch.arange(size, device=query.device).unsqueeze(1) + size
    apart = apart - torch.arange(size * {count}, device=query.device)
    near = torch.le({distance}, size)
    seen = torch.logical_and(self.neighbourhoods(local, blocks).transpose(2, 3), near)
    near_k = self.neighbourhoods(k, blocks)
    near_v = self.neighbourhoods(v, blocks)
{global_lines}
    cut = torch.constant_pad_nd(q, [0, 0, 0, blocks * size - length]).reshape([-1, size, q.size(2)])
    seen = seen.expand([query.size(0), -1, -1, -1]).flatten(0, 1).unsqueeze(1)
    mixed = self.attend(cut, near_k.flatten(0, 1), near_v.flatten(0, 1), seen)
    mixed = mixed.view([query.size(0), blocks * size, -1])[:, :length]
)",
      fmt::arg("size", options.window), fmt::arg("globals", options.global_positions), fmt::arg("count", count),
      fmt::arg("distance", causal ? "torch.where(torch.ge(apart, 0), apart, size + 1)" : "torch.abs(apart)"),
      fmt::arg("global_lines", some_globals ? global_lines(options.global_positions, causal) : ""));
  const char* end = some_globals && !causal ? R"(
    of_globals = self.attend(q[:, :globals], k, v, visible.unsqueeze(1).unsqueeze(1))
    return torch.cat([of_globals, mixed[:, globals:]], 1)
)"
                                            : "    return mixed\n";
  return attention_methods(options) + neighbourhoods + forward_method(body + end);
}

std::string linear_attention(const TransformerOptions& options, bool causal) {
  const std::string chunks = fmt::format(R"(
def chunks(self, x: Tensor) -> Tensor:
    count = (x.size(2) + {size} - 1) // {size}
    padded = torch.constant_pad_nd(x, [0, 0, 0, count * {size} - x.size(2)])
    return padded.view([x.size(0), x.size(1), count, {size}, x.size(3)])
)",
                                         fmt::arg("size", kChunk));
  const std::string all = "    sums = torch.matmul(q, torch.matmul(k.transpose(-2, -1), v))\n";
  const std::string earlier = R"(
    q = self.chunks(q)
    k = self.chunks(k)
    v = self.chunks(v)
    products = torch.matmul(k.transpose(-2, -1), v)
    before = torch.cumsum(torch.cat([torch.zeros_like(products[:, :, :1]), products[:, :, :-1]], 2), 2)
    inside = torch.tril(torch.matmul(q, k.transpose(-2, -1)))
    sums = (torch.matmul(inside, v) + torch.matmul(q, before)).flatten(2, 3)[:, :, :query.size(1)]
)";
  const std::string body = fmt::format(
      R"(
    q = torch.elu(self.split_heads(q)) + 1
    k = torch.elu(self.split_heads(k)) + 1
    v = torch.constant_pad_nd(self.split_heads(v), [0, 1], 1.0)
    k = k.masked_fill(torch.logical_not(mask[:, -1]).unsqueeze(1).unsqueeze(-1), 0.0)
{sums}
    return self.project(sums[:, :, :, :{width}] / torch.clamp(sums[:, :, :, {width}:], min={least:#.17g}))
)",
      fmt::arg("sums", causal ? earlier : all), fmt::arg("width", options.value_width()),
      fmt::arg("least", attention::LinearAttentionImpl::kSmallestSum));
  return attention_methods(options) + (causal ? chunks : "") + forward_method(body);
}

std::string low_rank_attention(const TransformerOptions& options) {
  return attention_methods(options) + forward_method(R"(
    hidden = torch.logical_not(mask).transpose(1, 2)
    k = torch.matmul(self.key_projection[:, :key.size(1)], k.masked_fill(hidden, 0.0))
    v = torch.matmul(self.value_projection[:, :key.size(1)], v.masked_fill(hidden, 0.0))
    return self.attend(q, k, v, torch.ones([1, 1, 1, 1], dtype=11, device=query.device))
)");
}

/// W R_d of the distances from keys = memory + size down, and in_blocks(): the segments of x [batch, len, width] with
/// their memories, [batch, blocks, memory + size, width].
std::string segment_methods(const TransformerOptions& options) {
  return fmt::format(R"(
def distance_keys(self, distances: Tensor) -> Tensor:
    scale = torch.exp(torch.arange(0, {d_model}, 2, device=distances.device) * {step:#.17g})
    angle = distances.unsqueeze(1) * scale
    sinusoids = torch.stack([torch.sin(angle), torch.cos(angle)], 2).flatten(1)[:, :{d_model}]
    return self.r_net.forward(sinusoids).view([-1, {heads}, {width}]).permute([1, 2, 0])

def in_blocks(self, x: Tensor, size: int, memory: int) -> Tensor:
    blocks = (x.size(1) + size - 1) // size
    segments = torch.constant_pad_nd(x, [0, 0, 0, blocks * size - x.size(1)])
    segments = segments.view([x.size(0), blocks, size, x.size(2)])
    if memory == 0:
        return segments
    memories = torch.constant_pad_nd(x[:, :(blocks - 1) * size], [0, 0, memory, 0]).unfold(1, memory, size)
    return torch.cat([memories.transpose(2, 3), segments], 2)
)",
                     fmt::arg("d_model", options.d_model), fmt::arg("heads", options.heads),
                     fmt::arg("width", options.key_width()),
                     fmt::arg("step", -std::log(10000.0) / static_cast<double>(options.d_model)));
}

std::string segment_attention(const TransformerOptions& options, bool causal) {
  const char* order = R"(
    numbers = torch.arange(keys, device=query.device) - memory
    seen = torch.logical_and(seen, torch.le(numbers, torch.arange(size, device=query.device).unsqueeze(1)))
)";
  const std::string body = fmt::format(
      R"(
    length = query.size(1)
    size = min({segment}, length)
    blocks = (length + size - 1) // size
    memory = min({memory}, (blocks - 1) * size)
    keys = memory + size
    seen = mask[:, -1].expand([mask.size(0), length]).unsqueeze(2)
    seen = self.in_blocks(seen, size, memory).transpose(2, 3)
{order}
    seen = seen.expand([query.size(0), -1, -1, -1]).flatten(0, 1).unsqueeze(1)
    q = self.in_blocks(q, size, 0).flatten(0, 1)
    k = self.in_blocks(k, size, memory).flatten(0, 1)
    v = self.in_blocks(v, size, memory).flatten(0, 1)
    scores = torch.matmul(self.split_heads(q + self.r_w_bias), self.split_heads(k).transpose(-2, -1))
    columns = {columns}
    distances = self.distance_keys((keys - torch.arange(columns + 1, device=query.device)).to(6))
    near = torch.matmul((q + self.r_r_bias).view([-1, {heads}, {width}]).transpose(0, 1), distances)
    near = near.view([{heads}, q.size(0), size * (columns + 1)])[:, :, size:]
    near = near.reshape([{heads}, q.size(0), size, columns])[:, :, :, :keys].transpose(0, 1)
    mixed = self.mix((scores + near) / {root:#.17g}, v, seen)
    return mixed.view([query.size(0), blocks * size, -1])[:, :length]
)",
      fmt::arg("segment", options.segment), fmt::arg("memory", options.segment_memory),
      fmt::arg("order", causal ? order : ""), fmt::arg("columns", causal ? "keys" : "keys + size - 1"),
      fmt::arg("heads", options.heads), fmt::arg("width", options.key_width()),
      fmt::arg("root", std::sqrt(static_cast<double>(options.key_width()))));
  return attention_methods(options) + segment_methods(options) + forward_method(body);
}

}  // namespace

std::string TransformerScriptSource::self_attention(bool causal) const {
  switch (options.self_attention) {
    case SelfAttention::kWindow: return windowed_attention(options, causal);
    case SelfAttention::kLinear: return linear_attention(options, causal);
    case SelfAttention::kLowRank: return causal ? "" : low_rank_attention(options);
    case SelfAttention::kSegment: return segment_attention(options, causal);
    case SelfAttention::kSsru:  // of an encoder
    case SelfAttention::kFull:
      return options.positions == Positions::kRotary || options.has_relative_bias() ? attention(options.positions) : "";
  }
  return "";
}

}  // namespace ventris::scripting

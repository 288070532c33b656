#include "attention/windowed_attention.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "attention/visible_positions.h"
#include "nn/masks.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

/// Blocks that the queries of a block look at: the one before, their own and, unless causal, the next one.
int64_t neighbours(const Window& window) { return window.causal ? 2 : 3; }

/// x [batch, len, width] -> [batch, blocks, neighbours * size, width]: for each block of `size` positions, the
/// positions of its neighbours, with zeros where there are none.
Tensor neighbourhoods(const Tensor& x, const Window& window) {
  const int64_t size = window.size, blocks = (x.size(1) + size - 1) / size, count = neighbours(window);
  const Tensor padded = at::constant_pad_nd(x, {0, 0, size, (blocks + count - 2) * size - x.size(1)});
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < count; ++i)
    parts.push_back(padded.narrow(1, i * size, blocks * size).unflatten(1, {blocks, size}));
  return at::cat(parts, 2);
}

/// visible [batch|1, len] bool: positions that are not hidden from all -> [batch|1, blocks, size, globals + neighbours
/// * size] bool: what the queries of each block see of the global positions and of its neighbourhood, in which global
/// positions are hidden, because they must not count twice.
Tensor block_mask(const Window& window, const Tensor& visible) {
  const int64_t len = visible.size(1), size = window.size, globals = std::min(window.globals, len);
  const auto numbers = visible.options().dtype(torch::kLong);
  const Tensor places = torch::arange(len, numbers);
  const Tensor local = visible.logical_and(places.ge(globals)).unsqueeze(2);  // [batch|1, len, 1]
  const Tensor apart =
      (torch::arange(size, numbers) + size).unsqueeze(1) - torch::arange(neighbours(window) * size, numbers);
  const Tensor near = window.causal ? apart.ge(0).logical_and_(apart.le(size)) : apart.abs().le(size);
  const Tensor seen = neighbourhoods(local, window).transpose(2, 3).logical_and(near);
  if (globals == 0) return seen;
  Tensor of_globals = visible.narrow(1, 0, globals).view({-1, 1, 1, globals});
  if (window.causal) {
    const Tensor queries = torch::arange(seen.size(1) * size, numbers).view({1, -1, size, 1});
    of_globals = of_globals.logical_and(places.narrow(0, 0, globals).le(queries));
  }
  return at::cat({of_globals.expand({seen.size(0), seen.size(1), size, globals}), seen}, 3);
}

}  // namespace

Tensor window_mask(const Window& window, int64_t len, torch::Device device) {
  const Tensor places = torch::arange(len, torch::dtype(torch::kLong).device(device));
  const Tensor global = places.lt(window.globals);
  Tensor seen = (places.unsqueeze(1) - places).abs().le(window.size).logical_or(global);
  if (!window.causal) return seen.logical_or(global.unsqueeze(1)).unsqueeze(0);
  return seen.unsqueeze(0).logical_and(nn::subsequent_mask(len, device));
}

WindowedAttentionImpl::WindowedAttentionImpl(const MultiHeadAttentionOptions& settings, const Window& its_window)
    : MultiHeadAttentionImpl(settings), window(its_window) {
  if (window.size >= 1 && window.globals >= 0) return;
  throw std::invalid_argument(
      "WindowedAttention: expected a window of at least 1 and at least 0 global positions, got " +
      std::to_string(window.size) + " and " + std::to_string(window.globals));
}

Tensor WindowedAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
  TORCH_CHECK(query.is_same(key) && key.is_same(value),
              "windowed attention: expected one tensor as query, key and value");
  TORCH_CHECK(mask.defined() || !window.causal, "windowed attention: expected a mask, because it is causal");
  const int64_t len = query.size(1);
  if (len <= window.size + 1) return MultiHeadAttentionImpl::forward(query, key, value, mask);
  if (nn::AttentionWatch::place_for(*this) != nullptr) {
    const Tensor seen = window_mask(window, len, query.device());
    return MultiHeadAttentionImpl::forward(query, key, value, mask.defined() ? mask.logical_and(seen) : seen);
  }
  return attend_blocks(project_merged(query, 0, 2), visible_positions(mask, query, window.causal, "windowed"));
}

/// merged [batch, len, widths of queries, keys and values], visible [batch|1, len] -> [batch, len, d_model].
Tensor WindowedAttentionImpl::attend_blocks(const Tensor& merged, const Tensor& visible) {
  const int64_t batch = merged.size(0), len = merged.size(1), keys = options.heads() * options.key_width();
  const int64_t globals = std::min(window.globals, len);
  const Tensor query = merged.narrow(2, 0, keys), key_value = merged.narrow(2, keys, merged.size(2) - keys);
  Tensor seen = neighbourhoods(key_value, window);  // [batch, blocks, neighbours * size, width]
  const int64_t blocks = seen.size(1);
  if (globals > 0) {
    seen = at::cat({key_value.narrow(1, 0, globals).unsqueeze(1).expand({-1, blocks, -1, -1}), seen}, 2);
  }
  const Tensor queries =
      at::constant_pad_nd(query, {0, 0, 0, blocks * window.size - len}).reshape({batch * blocks, window.size, keys});
  const Tensor mask = block_mask(window, visible).expand({batch, -1, -1, -1}).flatten(0, 1);
  const Tensor mixed = attend_merged(queries, seen.flatten(0, 1), mask)  // [batch * blocks, size, d_model]
                           .view({batch, blocks * window.size, -1})
                           .narrow(1, 0, len);
  if (window.causal || globals == 0) return mixed;
  const Tensor of_globals = attend_merged(query.narrow(1, 0, globals), key_value, visible.unsqueeze(1));
  return at::cat({of_globals, mixed.narrow(1, globals, len - globals)}, 1);
}

void WindowedAttentionImpl::pretty_print(std::ostream& out) const {
  MultiHeadAttentionImpl::pretty_print(out);
  out << " within a window of " << window.size << " positions to each side, with " << window.globals << " global ones";
}

}  // namespace ventris::attention

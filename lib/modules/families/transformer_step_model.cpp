#include <ATen/ops/index_select.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "attention/linear_attention.h"
#include "attention/segment_attention.h"
#include "attention/windowed_attention.h"
#include "families/transformer.h"
#include "nn/step_rows.h"

namespace ventris::families {
namespace {

using torch::Tensor;

/// Keys (or values) of one layer for all rows, each at a place of its own: its position or, in a decoder with windows
/// or segments, its slot. The place is the first dimension, so that a step writes one contiguous slice.
class StepCache {
 public:
  explicit StepCache(int64_t width) : width_(width) {}

  /// Reserves memory for `length` places of `rows` rows; the content stays.
  void reserve(int64_t length, int64_t rows, const torch::TensorOptions& options) {
    const bool fits = now_.defined() && length <= capacity_ && rows == rows_;
    if (fits) return;
    const int64_t capacity =
        std::max<int64_t>({length, (capacity_ + capacity_ / 4) * (length > capacity_), capacity_, 16});
    Tensor grown = torch::zeros({capacity, rows, width_}, options);
    if (now_.defined() && rows_ > 0) grown.narrow(0, 0, capacity_).narrow(1, 0, rows_).copy_(now_);
    now_ = grown;
    spare_ = Tensor();
    capacity_ = capacity;
    rows_ = rows;
  }

  /// New row i is old row parents[i].
  void reorder(const Tensor& parents, int64_t length) {
    const int64_t rows = parents.size(0), needed = capacity_ * rows * width_;
    if (!spare_.defined() || spare_.numel() < needed) spare_ = torch::empty({needed}, now_.options());
    Tensor next = spare_.narrow(0, 0, needed).view({capacity_, rows, width_});
    Tensor filled = next.narrow(0, 0, length);
    at::index_select_out(filled, now_.narrow(0, 0, length), 1, parents);
    spare_ = now_.flatten();  // a view: the old buffer is the next spare one
    now_ = next;
    rows_ = rows;
  }

  /// Writes x [rows, width] at `place` of every row.
  void write(int64_t place, const Tensor& x) { now_.select(0, place).copy_(x); }

  /// Writes x [rows, width] at places [rows] (long), one per row. If no row has used the place `fresh` yet (-1 = there
  /// is none), all get zeros there, because rows that do not see it read it, masked, and it must be finite.
  void write(const Tensor& places, int64_t fresh, const Tensor& x) {
    if (fresh >= 0) now_.select(0, fresh).zero_();
    now_.index_put_({places, torch::arange(rows_, places.options())}, x);
  }

  /// [rows, heads, length, width / heads], a view.
  Tensor heads(int64_t length, int64_t heads) const {
    return now_.narrow(0, 0, length).view({length, rows_, heads, width_ / heads}).permute({1, 2, 0, 3});
  }

 private:
  int64_t width_, capacity_ = 0, rows_ = 0;
  Tensor now_, spare_;
};

/// The caches of one decoder layer.
struct LayerState {
  LayerState(int64_t key_width, int64_t value_width) : keys(key_width), values(value_width) {}
  StepCache keys, values;
  Tensor sums;  // instead of keys and values, of a linear decoder: see LinearAttention::step; or of an SSRU: its cells
  Tensor of_distances;  // of a decoder with segments: SegmentAttention::distance_keys of 0, 1, 2 and so on
  Tensor source_keys, source_values;  // [rows, heads, src_len, key_width or value_width of a head]
};

/// What the newest tokens of all rows see of the caches.
struct View {
  Tensor positions;  // [rows] (long)
  bool together = true;  // all rows are at the same position
  Tensor mask;  // [rows, 1, places] bool, true = may look; undefined = everywhere
  Tensor distances;  // in a decoder with segments: [rows, places] (long), how far the key of each place is
  Tensor bias;  // of relative positions: [rows, heads, 1, places], which all layers add to their scores
};

class TransformerStepModel : public nn::StepModel {
 public:
  explicit TransformerStepModel(EncoderDecoder model) : model_(std::move(model)) {
    const auto& attention = model_->decoder->layer(0).self_attn;
    if (attention.is_empty()) {
      reset();
      return;
    }
    if (const auto* windowed = attention->as<attention::WindowedAttentionImpl>()) window_ = windowed->window;
    if (const auto* in_segments = attention->as<attention::SegmentAttentionImpl>()) segments_ = in_segments->segments;
    reset();
  }

  void admit(const Tensor& src, const Tensor& src_mask) override;
  void follow(std::span<const int32_t> parents) override;
  Tensor log_probs(const Tensor& ids) override;

  void reset() override {
    const nn::TransformerOptions options = model_->options.decoder_side();
    const LayerState fresh(options.heads * options.key_width(), options.heads * options.value_width());
    layers_.assign(model_->decoder->layers->size(), fresh);
    positions_.clear();
    sentences_.clear();
    mask_ = Tensor();
    all_visible_ = true;
  }

 private:
  /// Where a row keeps the key of a position.
  int64_t place(int64_t position) const {
    if (segments_) return segments_->slot(position);
    return window_ ? window_->slot(position) : position;
  }
  /// How many places rows of at most `length` positions use.
  int64_t places(int64_t length) const {
    if (segments_) return std::min(length, segments_->slots());
    return window_ ? std::min(length, window_->slots()) : length;
  }
  int64_t longest() const { return *std::max_element(positions_.begin(), positions_.end()); }
  void follow_keys(LayerState& layer, const Tensor& parents, bool same_rows) const;
  template <typename Fresh>
  void follow_sums(LayerState& layer, const Fresh& fresh, const Tensor& parents, bool same_rows) const;
  View view_of(const Tensor& positions) const;
  void write_cache(attention::MultiHeadAttentionImpl& attention, LayerState& state, const Tensor& x,
                   const View& view) const;
  Tensor self_attention(DecoderLayerImpl& layer, LayerState& state, const Tensor& x, const View& view) const;

  EncoderDecoder model_;
  std::optional<attention::Window> window_;  // of a windowed decoder
  std::optional<attention::Segments> segments_;  // of a decoder with segments
  std::vector<LayerState> layers_;
  std::vector<int64_t> positions_;  // of each row: tokens already in the caches
  std::vector<int64_t> sentences_;  // of each row: which admitted sentence it translates
  int64_t admitted_ = 0;
  Tensor mask_;  // [rows, 1, src_len] true = may look
  bool all_visible_ = true;  // no padding in mask_: it need not be applied
};

void TransformerStepModel::admit(const Tensor& src, const Tensor& src_mask) {
  const Tensor states = model_->encode(src, src_mask).states;
  for (size_t i = 0; i < layers_.size(); ++i) {
    attention::MultiHeadAttentionImpl& attention = *model_->decoder->layer(i).src_attn;
    const Tensor memory = model_->decoder->memory_of(i, states);  // [sentences, src_len, d_model]
    layers_[i].source_keys = nn::stack_rows(layers_[i].source_keys, attention.project(1, memory), 2);
    layers_[i].source_values = nn::stack_rows(layers_[i].source_values, attention.project(2, memory), 2);
  }
  mask_ = nn::stack_rows(mask_, src_mask, 2);
  all_visible_ = mask_.all().item<bool>();
  for (int64_t i = 0; i < src.size(0); ++i) {
    positions_.push_back(0);
    sentences_.push_back(admitted_++);
  }
}

void TransformerStepModel::follow(std::span<const int32_t> parents) {
  bool same_rows = parents.size() == positions_.size(), same_sentences = same_rows;
  std::vector<int64_t> positions, sentences;
  for (size_t row = 0; row < parents.size(); ++row) {
    const auto parent = static_cast<size_t>(parents[row]);
    positions.push_back(positions_.at(parent));
    sentences.push_back(sentences_.at(parent));
    same_rows = same_rows && parent == row;
    same_sentences = same_sentences && sentences.back() == sentences_[row];
  }
  const Tensor index = torch::tensor(std::vector<int64_t>(parents.begin(), parents.end())).to(mask_.device());
  for (size_t i = 0; i < layers_.size(); ++i) {
    LayerState& layer = layers_[i];
    const DecoderLayerImpl& of_model = model_->decoder->layer(i);
    if (of_model.self_attn.is_empty()) {
      follow_sums(layer, [&](int64_t rows) { return of_model.ssru->empty_cells(rows); }, index, same_rows);
    } else if (auto* linear = of_model.self_attn->as<attention::LinearAttentionImpl>(); linear != nullptr) {
      follow_sums(layer, [&](int64_t rows) { return linear->empty_sums(rows); }, index, same_rows);
    } else {
      follow_keys(layer, index, same_rows);
    }
    if (!same_sentences) {
      layer.source_keys = layer.source_keys.index_select(0, index);
      layer.source_values = layer.source_values.index_select(0, index);
    }
  }
  if (!same_sentences) mask_ = mask_.index_select(0, index);
  positions_ = std::move(positions);
  sentences_ = std::move(sentences);
}

/// Before positions_ changes.
void TransformerStepModel::follow_keys(LayerState& layer, const Tensor& parents, bool same_rows) const {
  const auto rows_before = static_cast<int64_t>(positions_.size());
  for (StepCache* cache : {&layer.keys, &layer.values}) {
    cache->reserve(places(longest() + 1), rows_before, layer.source_keys.options());
    if (!same_rows) cache->reorder(parents, places(longest()));
  }
}

/// fresh(rows): the sums of so many empty prefixes.
template <typename Fresh>
void TransformerStepModel::follow_sums(LayerState& layer, const Fresh& fresh, const Tensor& parents,
                                       bool same_rows) const {
  const int64_t known = layer.sums.defined() ? layer.sums.size(0) : 0;
  const auto rows_before = static_cast<int64_t>(positions_.size());
  if (known < rows_before) {
    const Tensor more = fresh(rows_before - known);
    layer.sums = layer.sums.defined() ? at::cat({layer.sums, more}) : more;
  }
  if (!same_rows) layer.sums = layer.sums.index_select(0, parents);
}

/// positions [rows] (long): of the newest tokens.
View TransformerStepModel::view_of(const Tensor& positions) const {
  View view;
  view.positions = positions;
  view.together = std::all_of(positions_.begin(), positions_.end(), [&](int64_t p) { return p == positions_.front(); });
  const Tensor each = torch::arange(places(longest() + 1), positions.options()), of_row = positions.unsqueeze(1);
  if (segments_) {
    const Tensor distances = (of_row - each).remainder(segments_->slots());  // the newest key of each place
    view.mask = distances.le(segments_->reach(of_row)).unsqueeze(1);
    view.distances = distances.clamp_max(each.size(0) - 1);
  } else if (!view.together) {  // rows admitted later are shorter
    view.mask = each.unsqueeze(0).le(of_row).unsqueeze(1);
  }
  if (attention::RelativeBias bias = model_->decoder->relative_bias; !bias.is_empty()) {
    view.bias = bias->at(positions, each.size(0));
  }
  return view;
}

/// Writes keys and values of each row's newest token, x [rows, d_model], into the caches.
void TransformerStepModel::write_cache(attention::MultiHeadAttentionImpl& attention, LayerState& state, const Tensor& x,
                                       const View& view) const {
  const Tensor key = attention.project_at(1, x, view.positions), value = attention.project_at(2, x, view.positions);
  const int64_t last = longest();
  if (view.together) {
    state.keys.write(place(last), key);
    state.values.write(place(last), value);
    return;
  }
  std::vector<int64_t> row_places;
  for (const int64_t position : positions_) row_places.push_back(place(position));
  const Tensor index = torch::tensor(row_places).to(x.device());
  const int64_t fresh = place(last) == last ? last : -1;
  state.keys.write(index, fresh, key);
  state.values.write(index, fresh, value);
}

/// Attention of each row's newest token, x [rows, 1, d_model], to the tokens before it and itself. Writes it into the
/// caches.
Tensor TransformerStepModel::self_attention(DecoderLayerImpl& layer, LayerState& state, const Tensor& x,
                                            const View& view) const {
  if (layer.self_attn.is_empty()) return layer.ssru->step(x, state.sums);
  attention::MultiHeadAttentionImpl& attention = *layer.self_attn;
  if (auto* linear = attention.as<attention::LinearAttentionImpl>()) return linear->step(x, state.sums);
  const Tensor newest = x.squeeze(1);  // [rows, d_model]
  write_cache(attention, state, newest, view);
  const int64_t heads = attention.options.heads(), used = places(longest() + 1);
  const Tensor keys = state.keys.heads(used, heads), values = state.values.heads(used, heads);
  auto* in_segments = attention.as<attention::SegmentAttentionImpl>();
  if (in_segments == nullptr) {
    const Tensor query = attention.project_at(0, newest, view.positions).unsqueeze(1);
    return attention.attend(attention.split_heads(query), keys, values, view.mask, view.bias);
  }
  Tensor& of_distances = state.of_distances;
  if (!of_distances.defined() || of_distances.size(2) < used) {
    const int64_t count = std::min(2 * used, segments_->slots());
    of_distances = in_segments->distance_keys(torch::arange(count, view.distances.options()));
  }
  return in_segments->step(x, keys, values, view.distances, of_distances, view.mask);
}

Tensor TransformerStepModel::log_probs(const Tensor& ids) {
  const Tensor positions = torch::tensor(positions_).to(ids.device());
  const View view = view_of(positions);
  const Tensor source_mask = all_visible_ ? Tensor() : mask_;
  const Tensor embedded = model_->tgt_embed->ptr<nn::EmbeddingsImpl>(0)->forward(ids);  // [rows, d_model]
  const Tensor x =
      model_->tgt_embed->ptr<nn::PositionalEncodingImpl>(1)->at_positions(embedded, positions).unsqueeze(1);
  const Tensor hidden = model_->decoder->run(x, [&](size_t i, const Tensor& below) {
    DecoderLayerImpl& layer = model_->decoder->layer(i);
    LayerState& state = layers_[i];
    return layer.run(
        below, [&](const Tensor& y) { return self_attention(layer, state, y, view); },
        [&](const Tensor& y) {
          return layer.src_attn->attend(layer.src_attn->project(0, y), state.source_keys, state.source_values,
                                        source_mask);
        });
  });  // [rows, 1, d_model]
  for (int64_t& position : positions_) ++position;
  return model_->log_probs(hidden.squeeze(1)).to(torch::kFloat);
}

}  // namespace

std::unique_ptr<nn::StepModel> EncoderDecoderImpl::make_step_model() {
  return std::make_unique<TransformerStepModel>(std::dynamic_pointer_cast<EncoderDecoderImpl>(self()));
}

}  // namespace ventris::families

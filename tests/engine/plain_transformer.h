#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "architecture/transformer_parts.h"
#include "model/floats.h"
#include "model/safetensors.h"

namespace ventris::test {

/// Rows of numbers, [rows, width].
using Rows = std::vector<std::vector<double>>;

/// A Transformer as plain loops in double, position by position, from the tensors of a bundle. Has full self-attention
/// or an SSRU, the score scaled_dot, and a decoder that sees the last encoder layer; of all other settings, each value.
class PlainTransformer {
 public:
  using Options = architecture::TransformerOptions;

  PlainTransformer(const Options& options, const model::Safetensors& file) : options_(options), file_(file) {}

  /// The logarithms of the probabilities of all tokens after each of the ids that the decoder reads: [ids, tgt_vocab].
  /// `causal`: a position of the decoder does not see those after it.
  Rows log_probs(std::span<const int32_t> source, std::span<const int32_t> ids, bool causal = true) const {
    const Rows memory = encode(source);
    Rows x = embed("tgt_embed", ids);
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      const std::string layer = "decoder.layers." + std::to_string(i);
      sublayer(layer + ".sublayer.0", x, [&](const Rows& y) { return self_attention(layer, y, causal); });
      sublayer(layer + ".sublayer.1", x, [&](const Rows& y) { return attention(layer + ".src_attn", y, memory); });
      sublayer(layer + ".sublayer.2", x, [&](const Rows& y) { return feed_forward(layer + ".feed_forward", y); });
    }
    if (options_.has_final_norm()) x = norm("decoder.norm", x);
    Rows logits = linear("generator.proj", x);
    for (auto& row : logits) log_softmax(row);
    return logits;
  }

 private:
  using Block = std::function<Rows(const Rows&)>;

  Rows encode(std::span<const int32_t> source) const {
    Rows x = embed("src_embed", source);
    for (int64_t i = 0; i < options_.encoder_layers; ++i) {
      const std::string layer = "encoder.layers." + std::to_string(i);
      sublayer(layer + ".sublayer.0", x, [&](const Rows& y) { return self_attention(layer, y, /*causal=*/false); });
      sublayer(layer + ".sublayer.1", x, [&](const Rows& y) { return feed_forward(layer + ".feed_forward", y); });
    }
    return options_.has_final_norm() ? norm("encoder.norm", x) : x;
  }

  static double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  static void log_softmax(std::vector<double>& row) {
    const double largest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const double logit : row) sum += std::exp(logit - largest);
    for (double& logit : row) logit -= largest + std::log(sum);
  }

  /// The elements of a tensor, which may have the weights of another one.
  std::vector<double> tensor(const std::string& name) const {
    const auto tied = architecture::tied_tensors(options_.tying);
    const auto found = tied.find(name);
    const std::vector<float> values = model::floats_of(file_, file_.at(found == tied.end() ? name : found->second));
    return {values.begin(), values.end()};
  }

  Rows linear(const std::string& name, const Rows& x) const {
    const std::vector<double> weight = tensor(name + ".weight");
    const size_t in = x.front().size(), out = weight.size() / in;
    const std::vector<double> bias =
        file_.contains(name + ".bias") ? tensor(name + ".bias") : std::vector<double>(out, 0.0);
    Rows y;
    for (const auto& row : x) {
      auto& to = y.emplace_back(bias);
      for (size_t i = 0; i < out; ++i) to[i] += dot(row, std::span(weight).subspan(i * in, in));
    }
    return y;
  }

  Rows norm(const std::string& name, Rows x) const {
    const bool layer = options_.norm_kind == architecture::NormKind::kLayer;
    const std::vector<double> weight = tensor(name + ".weight");
    const std::vector<double> bias = layer ? tensor(name + ".bias") : std::vector<double>(weight.size(), 0.0);
    const auto width = static_cast<double>(weight.size());
    for (auto& row : x) {
      double mean = 0;
      for (const double value : row) mean += layer ? value / width : 0;
      for (double& value : row) value -= mean;
      const double deviation = std::sqrt(dot(row, row) / width + options_.norm_epsilon);
      for (size_t i = 0; i < row.size(); ++i) row[i] = weight[i] * row[i] / deviation + bias[i];
    }
    return x;
  }

  void sublayer(const std::string& name, Rows& x, const Block& block) const {
    const bool before = options_.norm == architecture::NormPlace::kPre;
    const Rows y = block(before ? norm(name + ".norm", x) : x);
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t j = 0; j < x[i].size(); ++j) x[i][j] += y[i][j];
    }
    if (!before) x = norm(name + ".norm", x);
  }

  double activated(double x) const {
    switch (options_.activation) {
      case architecture::Activation::kRelu: return std::max(x, 0.0);
      case architecture::Activation::kGelu: return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
      case architecture::Activation::kSilu: return x / (1 + std::exp(-x));
      case architecture::Activation::kGeluTanh:
        return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
      case architecture::Activation::kGeluSigmoid: return x / (1 + std::exp(-1.702 * x));
    }
    return x;
  }
  /// With experts, row by row.
  Rows feed_forward(const std::string& name, const Rows& x) const {
    if (!file_.contains(name + ".router.weight")) return feed_all_forward(name, x);
    Rows y, weights = linear(name + ".router", x);
    for (size_t row = 0; row < x.size(); ++row) {
      log_softmax(weights[row]);
      std::vector<size_t> experts(weights[row].size());
      std::iota(experts.begin(), experts.end(), 0);
      std::ranges::stable_sort(experts, std::greater(), [&](size_t expert) { return weights[row][expert]; });
      experts.resize(static_cast<size_t>(options_.experts_per_token));
      double whole = 0;
      for (const size_t expert : experts) whole += std::exp(weights[row][expert]);
      auto& sum = y.emplace_back(x[row].size());
      for (const size_t expert : experts) {
        const double share = std::exp(weights[row][expert]) / (experts.size() > 1 ? whole : 1);
        const Rows found = feed_all_forward(name + ".experts." + std::to_string(expert), {x[row]});
        for (size_t i = 0; i < sum.size(); ++i) sum[i] += share * found.front()[i];
      }
    }
    return y;
  }
  Rows feed_all_forward(const std::string& name, const Rows& x) const {
    Rows hidden = linear(name + ".w_1", x);
    for (auto& row : hidden) {
      for (double& value : row) value = activated(value);
    }
    if (options_.gated_feed_forward) {
      const Rows gate = linear(name + ".w_3", x);
      for (size_t i = 0; i < hidden.size(); ++i) {
        for (size_t j = 0; j < hidden[i].size(); ++j) hidden[i][j] *= gate[i][j];
      }
    }
    return linear(name + ".w_2", hidden);
  }

  /// Rotates x [positions, heads * key width] as docs/models.md says.
  void rotate(Rows& x) const {
    const int64_t width = options_.key_width();
    for (size_t position = 0; position < x.size(); ++position) {
      std::vector<double>& row = x[position];
      for (size_t i = 0; i < row.size(); i += 2) {
        const auto feature = static_cast<double>(static_cast<int64_t>(i) % width);
        const double angle = static_cast<double>(position) * std::pow(10000.0, -feature / static_cast<double>(width));
        const double a = row[i], b = row[i + 1];
        row[i] = a * std::cos(angle) - b * std::sin(angle);
        row[i + 1] = a * std::sin(angle) + b * std::cos(angle);
      }
    }
  }

  Rows ssru(const std::string& name, const Rows& x) const {
    Rows cells = linear(name + ".input", x);
    const Rows gates = linear(name + ".forget", x);
    for (size_t t = 0; t < x.size(); ++t) {
      for (size_t i = 0; i < cells[t].size(); ++i) {
        const double gate = 1 / (1 + std::exp(-gates[t][i]));
        cells[t][i] = gate * (t > 0 ? cells[t - 1][i] : 0) + (1 - gate) * cells[t][i];
      }
    }
    for (auto& row : cells) {
      for (double& value : row) value = std::max(value, 0.0);
    }
    return cells;
  }

  Rows self_attention(const std::string& layer, const Rows& x, bool causal) const {
    if (causal && options_.has_ssru()) return ssru(layer + ".ssru", x);
    const std::string name = layer + ".self_attn";
    Rows queries = linear(name + ".linears.0", x), keys = linear(name + ".linears.1", x);
    if (options_.positions == architecture::Positions::kRotary) {
      rotate(queries);
      rotate(keys);
    }
    const Rows bias = options_.has_relative_bias() ? relative_bias(layer, x.size(), causal) : Rows();
    return linear(name + ".linears.3", mixed(queries, keys, linear(name + ".linears.2", x), causal, bias));
  }

  /// What is added to the scores of a sequence, [queries, heads * keys], as docs/models.md says. `layer` is one of its
  /// side.
  Rows relative_bias(const std::string& layer, size_t len, bool causal) const {
    const std::vector<double> table = tensor(layer.substr(0, layer.find('.')) + ".relative_bias.weight");
    const auto heads = table.size() / static_cast<size_t>(options_.bucket_count());
    Rows bias(len, std::vector<double>(heads * len));
    for (size_t query = 0; query < len; ++query) {
      for (size_t key = 0; key < len; ++key) {
        const size_t bucket = bucket_of(static_cast<double>(key) - static_cast<double>(query), causal);
        for (size_t head = 0; head < heads; ++head) bias[query][head * len + key] = table[bucket * heads + head];
      }
    }
    return bias;
  }
  /// `apart`: key - query.
  size_t bucket_of(double apart, bool causal) const {
    const bool after = apart > 0;
    const auto count = static_cast<double>(causal ? options_.bucket_count() : options_.bucket_count() / 2);
    const double exact = std::floor(count / 2), far = causal && after ? 0 : std::abs(apart);
    const double width = std::log(static_cast<double>(options_.bucket_distance()) / exact);
    constexpr double kRounding = 1e-6;  // a distance at the border of two buckets is in the farther one
    const double place =
        far < exact
            ? far
            : std::min(count - 1, exact + std::floor(std::log(far / exact) / width * (count - exact) + kRounding));
    return static_cast<size_t>(place + (after && !causal ? count : 0));
  }
  Rows attention(const std::string& name, const Rows& x, const Rows& memory) const {
    return linear(name + ".linears.3", mixed(linear(name + ".linears.0", x), linear(name + ".linears.1", memory),
                                             linear(name + ".linears.2", memory), /*causal=*/false));
  }

  /// The means of values [k_len, heads * value width], with the weights of each query and head.
  /// `bias` is added to the scores, unless it is empty.
  Rows mixed(const Rows& queries, const Rows& keys, const Rows& values, bool causal, const Rows& bias = {}) const {
    const auto d_k = static_cast<size_t>(options_.key_width()), d_v = static_cast<size_t>(options_.value_width());
    Rows out(queries.size(), std::vector<double>(values.front().size()));
    for (size_t q = 0; q < queries.size(); ++q) {
      const size_t seen = causal ? q + 1 : keys.size();
      for (size_t head = 0; head < values.front().size() / d_v; ++head) {
        std::vector<double> weights;
        for (size_t k = 0; k < seen; ++k) {
          weights.push_back(
              dot(std::span(queries[q]).subspan(head * d_k, d_k), std::span(keys[k]).subspan(head * d_k, d_k)) /
              std::sqrt(static_cast<double>(d_k)));
          if (!bias.empty()) weights.back() += bias[q][head * keys.size() + k];
        }
        log_softmax(weights);
        for (size_t k = 0; k < seen; ++k) {
          for (size_t i = head * d_v; i < (head + 1) * d_v; ++i) out[q][i] += std::exp(weights[k]) * values[k][i];
        }
      }
    }
    return out;
  }

  /// What is added to the embeddings of the first `count` positions, [count, d_model].
  Rows positions(const std::string& side, size_t count) const {
    const auto width = static_cast<size_t>(options_.d_model);
    Rows x(count, std::vector<double>(width));
    if (options_.positions == architecture::Positions::kLearned) {
      const std::vector<double> table = tensor(side + ".1.pe");
      for (size_t row = 0; row < count; ++row) {
        std::copy_n(table.begin() + static_cast<std::ptrdiff_t>(row * width), width, x[row].begin());
      }
    }
    if (options_.positions == architecture::Positions::kSinusoidal) {
      for (size_t i = 0; i < width; ++i) {
        const double speed = std::pow(10000.0, -static_cast<double>(i - i % 2) / static_cast<double>(width));
        for (size_t row = 0; row < count; ++row) {
          const double angle = static_cast<double>(row) * speed;
          x[row][i] = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
      }
    }
    if (options_.positions == architecture::Positions::kHalvedSinusoidal) {
      const size_t half = width / 2;
      for (size_t i = 0; i < half; ++i) {
        const double speed = std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(half - 1));
        for (size_t row = 0; row < count; ++row) {
          x[row][i] = std::sin(static_cast<double>(row) * speed);
          x[row][half + i] = std::cos(static_cast<double>(row) * speed);
        }
      }
    }
    return x;
  }
  Rows embed(const std::string& side, std::span<const int32_t> ids) const {
    const std::vector<double> table = tensor(side + ".0.lut.weight");
    const auto width = static_cast<size_t>(options_.d_model);
    Rows x = positions(side, ids.size());
    for (size_t row = 0; row < ids.size(); ++row) {
      const size_t first = static_cast<size_t>(ids[row]) * width;
      for (size_t i = 0; i < width; ++i) x[row][i] += options_.embedding_factor() * table[first + i];
    }
    return options_.embedding_norm ? norm(side + ".1.norm", x) : x;
  }

  const Options options_;
  const model::Safetensors& file_;
};

}  // namespace ventris::test

#include "plotting/nn_figures.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include "core/error.h"
#include "figures/heat_map.h"
#include "figures/line_chart.h"
#include "nn/embeddings.h"
#include "nn/loss.h"
#include "nn/masks.h"

namespace ventris::plotting {
namespace {

using torch::Tensor;

constexpr int64_t kMostCells = 250'000;  // a file of some 4 MB

void check_range(const char* flag, int64_t value, int64_t least, int64_t most) {
  if (value < least || value > most) fail<ConfigError>(flag, ": expected ", least, " to ", most, ", got ", value);
}

/// [positions, d_model]
Tensor position_vectors(int64_t positions, int64_t d_model) {
  check_range("--positions", positions, 1, 2000);
  check_range("--d-model", d_model, 1, 2000);
  nn::PositionalEncoding encoding(nn::TransformerOptions{.d_model = d_model, .dropout = 0, .max_positions = positions});
  return encoding->pe.squeeze(0);
}

/// x [rows, columns] -> its values in order.
std::vector<float> values_of(const Tensor& x) {
  const Tensor plain = x.to(torch::kFloat).contiguous();
  const auto* first = plain.const_data_ptr<float>();
  return {first, first + plain.numel()};
}

/// x [rows, columns]
figures::HeatMap map_of(const Tensor& x, const std::string& title, const char* x_label, const char* y_label) {
  figures::HeatMap map;
  map.title = title;
  map.x_label = x_label;
  map.y_label = y_label;
  map.rows = static_cast<size_t>(x.size(0));
  map.columns = static_cast<size_t>(x.size(1));
  map.values = values_of(x);
  return map;
}

}  // namespace

std::string positions_map(int64_t positions, int64_t d_model) {
  const Tensor vectors = position_vectors(positions, d_model);
  if (positions * d_model > kMostCells) {
    fail<ConfigError>("--positions times --d-model: expected at most ", kMostCells, " cells, got ", positions * d_model,
                      "; draw fewer, or curves of four features with --feature");
  }
  figures::HeatMap map = map_of(vectors, "Sinusoidal position vectors", "feature", "position");
  map.low = -1;
  map.palette = figures::Palette::kDiverging;
  return figures::heat_map(map);
}

std::string positions_curves(int64_t positions, int64_t d_model, int64_t first_feature) {
  const Tensor vectors = position_vectors(positions, d_model);
  check_range("--feature", first_feature, 0, std::max<int64_t>(d_model - 4, 0));
  figures::LineChart chart;
  chart.texts = {"Sinusoidal position vectors", "position", "value"};
  for (int64_t feature = first_feature; feature < std::min(first_feature + 4, d_model); ++feature) {
    figures::Series series;
    series.name = fmt::format("feature {}", feature);
    for (int64_t i = 0; i < positions; ++i) {
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(vectors[i][feature].item<double>());
    }
    chart.series.push_back(std::move(series));
  }
  return figures::line_chart(chart);
}

std::string mask_figure(int64_t size, int64_t padding) {
  check_range("--size", size, 1, 200);
  check_range("--padding", padding, 0, size - 1);
  const Tensor ids = torch::ones({1, size}, torch::kLong);
  ids.slice(1, size - padding).fill_(0);
  const auto mask_map = [](const Tensor& mask, const char* title) {
    figures::HeatMap map = map_of(mask, title, "looked at", "position that looks");
    map.states = {"hidden", "may look"};
    return map;
  };
  return figures::heat_map_grid(
      "Masks", {mask_map(nn::padding_mask(ids, 0).expand({1, size, size})[0], "padding"),
                mask_map(nn::subsequent_mask(size)[0], "subsequent"), mask_map(nn::target_mask(ids, 0)[0], "both")});
}

std::string smoothing_figure(int64_t vocab, double smoothing) {
  check_range("--vocab", vocab, 3, 40);
  if (!(smoothing >= 0 && smoothing < 1))
    fail<ConfigError>("--smoothing: expected a number of at least 0 and under 1, got ", smoothing);
  // The gradient of the loss is prediction minus target distribution, and a flat prediction is 1 / vocab.
  const Tensor logits = torch::zeros({vocab, vocab}, torch::requires_grad());
  const Tensor targets = torch::arange(vocab, torch::kLong);
  nn::label_smoothed_loss(logits, targets, smoothing, /*pad=*/0).loss.backward();
  Tensor distribution = 1.0 / static_cast<double>(vocab) - logits.grad();
  distribution[0].zero_();  // padding as the target does not count
  distribution = torch::where(distribution.abs() < 1e-6, torch::zeros_like(distribution), distribution);
  auto map = map_of(distribution, fmt::format("Label smoothing {:g}: target distributions", smoothing), "token",
                    "target (0 = padding)");
  map.print_values = vocab <= 12;
  return figures::heat_map(map);
}

}  // namespace ventris::plotting

#include "imports/ctranslate2_positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "architecture/sinusoids.h"
#include "architecture/transformer_fields.h"
#include "core/error.h"
#include "imports/halved_sinusoids.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

using architecture::TransformerOptions;

constexpr int64_t kComputed = 1024;  // how many positions of a formula are stored
constexpr int64_t kFewest = 8;       // that a model of ours can have

/// How many positions are stored under this name; 0 = the table is not there.
int64_t stored_positions(const CTranslate2Variables& variables, const std::string& name, int64_t width) {
  if (!variables.contains(name)) return 0;
  const std::vector<int64_t> shape = variables.shape(name);
  if (shape.size() == 2 && shape[0] >= kFewest && shape[1] == width) return shape[0];
  fail<ModelError>(variables.where(), ": variable '", name, "': expected at least ", kFewest, " positions of ", width,
                   " features, found shape ", model::shape_text(shape));
}

/// Whether these are our sinusoids, apart from rounding to 16 bits.
bool are_sinusoids(const std::vector<float>& table, int64_t count, int64_t width) {
  constexpr float kRounding = 1e-3F;
  std::vector<float> expected(static_cast<size_t>(width));
  for (int64_t position = 0; position < count; ++position) {
    architecture::sinusoids(position, width, expected.data());
    const float* found = table.data() + position * width;
    for (int64_t i = 0; i < width; ++i) {
      if (!(std::abs(found[i] - expected[static_cast<size_t>(i)]) < kRounding)) return false;
    }
  }
  return true;
}

void check_formula(const CTranslate2Variables& variables, int64_t width) {
  if (width >= 4 && width % 2 == 0) return;
  fail<ModelError>(variables.where(), ": has no stored positions, and a width of ", width,
                   "; expected an even width from 4, for which they can be computed");
}

}  // namespace

std::vector<float> computed_positions(int64_t count, int64_t width) {
  return halved_sinusoids(1, count, width, architecture::halved_frequency_step(width));
}

void take_positions(const CTranslate2Variables& variables, TransformerOptions& options, BundleWeights& weights,
                    std::vector<std::string>& notes) {
  const std::string source = "encoder/position_encodings/encodings", target = "decoder/position_encodings/encodings";
  const int64_t width = options.d_model;
  const int64_t sources = stored_positions(variables, source, width),
                targets = stored_positions(variables, target, width);
  if (sources == 0 || targets == 0) check_formula(variables, width);
  options.max_positions = std::min({sources > 0   ? sources
                                    : targets > 0 ? targets
                                                  : kComputed,
                                    targets > 0   ? targets
                                    : sources > 0 ? sources
                                                  : kComputed,
                                    architecture::kMostPositions});
  const auto table = [&](const std::string& name, int64_t stored) {
    std::vector<float> values =
        stored > 0 ? weights.take(name, {stored, width}) : computed_positions(options.max_positions, width);
    values.resize(static_cast<size_t>(options.max_positions * width));
    return values;
  };
  std::vector<float> sources_table = table(source, sources), targets_table = table(target, targets);
  if (are_sinusoids(sources_table, options.max_positions, width) &&
      are_sinusoids(targets_table, options.max_positions, width)) {
    options.positions = architecture::Positions::kSinusoidal;
    return;
  }
  options.positions = architecture::Positions::kLearned;
  weights.set("src_embed.1.pe", std::move(sources_table));
  weights.set("tgt_embed.1.pe", std::move(targets_table));
  notes.push_back(
      fmt::format("the positions are stored as a table; the longest sentence has {} tokens", options.max_positions));
}

}  // namespace ventris::imports

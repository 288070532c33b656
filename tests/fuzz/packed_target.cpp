#include "engine/packed_models.h"
#include "fuzz/targets.h"

/// Packed models of the engine (model.packed). The first byte says beside which settings the file is.
namespace ventris::fuzz {
namespace {

using architecture::TransformerOptions;

constexpr int kKinds = 3;

test::RandomModel model_of(int kind) {
  TransformerOptions options{.src_vocab = 9,
                             .tgt_vocab = 9,
                             .encoder_layers = 1,
                             .decoder_layers = 1,
                             .d_model = 8,
                             .d_ff = 5,
                             .heads = 2,
                             .max_positions = 24,
                             .tying = architecture::Tying::kAll};
  if (kind == 1) {
    options.positions = architecture::Positions::kRelativeBias;
    options.norm_kind = architecture::NormKind::kRms;
    options.gated_feed_forward = true;
  }
  if (kind == 2) {
    options.positions = architecture::Positions::kLearned;
    options.norm = architecture::NormPlace::kPost;
    options.tying = architecture::Tying::kNone;
  }
  return test::random_model(options, 1);
}

void read_packed(std::string_view input) {
  static const std::vector<test::RandomModel> kPackedModels{model_of(0), model_of(1), model_of(2)};
  if (input.empty() || static_cast<unsigned char>(input.front()) >= kKinds) return;
  const auto& model = kPackedModels[static_cast<size_t>(input.front())];
  const auto factory = engine::make_packed_factory(model.config, test::packed_file(std::string(input.substr(1))), {});
  static_cast<void>(test::log_probs(*factory));
}

std::vector<std::string> packed_seeds() {
  std::vector<std::string> seeds;
  for (int kind = 0; kind < kKinds; ++kind) {
    for (const auto precision : test::kAllPrecisions) {
      seeds.push_back(static_cast<char>(kind) + test::packed(model_of(kind), precision));
    }
  }
  return seeds;
}

const Registration kPacked("packed", read_packed, packed_seeds);

}  // namespace
}  // namespace ventris::fuzz

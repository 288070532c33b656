#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "engine/packed_models.h"

/// Promise: whatever bytes model.packed has, and whatever config.json says beside it, the reader throws ModelError or
/// gives a model that can be run. The sanitizers watch over it. The environment variable VENTRIS_MUTANTS sets the
/// number of files, for longer runs, and VENTRIS_FIRST_MUTANT the number of the first; the same number gives the same
/// file.
namespace ventris::engine {
namespace {

using architecture::Positions;
using architecture::TransformerOptions;
using architecture::Tying;
using nlohmann::json;
using test::RandomNumbers;

TransformerOptions random_options(RandomNumbers& random) {
  TransformerOptions options{.src_vocab = 19,
                             .tgt_vocab = 19,
                             .encoder_layers = random.between(1, 2),
                             .decoder_layers = random.between(1, 2),
                             .d_model = 8 * random.between(1, 2),
                             .d_ff = random.between(1, 20),
                             .heads = random.between(1, 2),
                             .max_positions = 24,
                             .tying = static_cast<Tying>(random.between(0, 2))};
  constexpr Positions kPositions[] = {Positions::kSinusoidal, Positions::kHalvedSinusoidal, Positions::kLearned,
                                      Positions::kRotary, Positions::kRelativeBias};
  options.positions = kPositions[random.between(0, 4)];
  if (random.coin()) options.norm_kind = architecture::NormKind::kRms;
  options.gated_feed_forward = random.coin();
  if (random.coin()) options.experts = random.between(2, 4);
  if (random.coin()) options.norm = architecture::NormPlace::kPost;
  if (random.coin()) options.cross_attention = architecture::CrossAttention::kWeighted;
  options.attention_bias = random.coin();
  options.embedding_norm = random.coin();
  return options;
}

/// One setting of the model is another than when the file was made.
void change_settings(TransformerOptions& options, RandomNumbers& random) {
  int64_t* const sizes[] = {&options.src_vocab, &options.tgt_vocab,    &options.encoder_layers, &options.decoder_layers,
                            &options.d_model,   &options.d_ff,         &options.heads,          &options.d_k,
                            &options.d_v,       &options.max_positions};
  int64_t& size = *sizes[random.between(0, std::ssize(sizes) - 1)];
  size = random.coin() ? size + random.between(-1, 2) : int64_t{1} << random.between(0, 24);
  size = std::max<int64_t>(size, &size == &options.max_positions ? 8 : 1);  // what is run has 8 tokens or fewer
  if (random.between(0, 3) == 0) options.tying = static_cast<Tying>(random.between(0, 2));
  if (random.between(0, 3) == 0) options.attention_bias = !options.attention_bias;
  if (random.between(0, 3) == 0) options.gated_feed_forward = !options.gated_feed_forward;
  if (random.between(0, 3) == 0) options.experts = options.experts == 0 ? 2 : options.experts + random.between(0, 1);
  if (random.between(0, 3) == 0) options.norm_kind = architecture::NormKind::kRms;
  if (options.d_model % options.heads != 0) options.d_k = options.d_v = 1;
  const bool odd = options.key_width() % 2 != 0;  // config.json is refused if such heads are rotated
  const bool halves = options.positions == Positions::kHalvedSinusoidal;  // nor without two pairs of features
  if (odd && options.positions == Positions::kRotary) options.positions = Positions::kSinusoidal;
  if (halves && (options.d_model % 2 != 0 || options.d_model < 4)) options.positions = Positions::kSinusoidal;
}

/// Changes entries of the header as someone would who knows the format.
void change_header(json& header, RandomNumbers& random) {
  const auto any = [&] {
    auto item = header.begin();
    std::advance(item, random.between(0, static_cast<int64_t>(header.size()) - 1));
    return item;
  };
  const auto one = any(), other = any();
  switch (random.between(0, 5)) {
    case 0: header.erase(one); break;
    case 1: std::swap(one.value(), other.value()); break;
    case 2: header["alias"] = one.value(); break;
    case 3: header["__metadata__"]["alias:more"] = one.key(); break;
    case 4:
      if (one.value().contains("dtype")) one.value()["dtype"] = random.coin() ? "I8" : "F32";
      break;
    default:
      if (!one.value().contains("shape")) break;
      for (auto& length : one.value()["shape"]) length = length.get<int64_t>() * (random.coin() ? 2 : 1);
  }
}

std::string with_changed_header(const std::string& bytes, RandomNumbers& random) {
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const std::string data = bytes.substr(8 + length);
  json header = json::parse(bytes.substr(8, length));
  for (int64_t i = random.between(1, 3); i > 0; --i) change_header(header, random);
  std::string text = header.dump();
  text.resize((text.size() + 8 + 63) / 64 * 64 - 8 + static_cast<size_t>(random.between(0, 9) == 0), ' ');
  length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data;
}

/// Random bytes anywhere, or in the header; or the end is cut off, or has more bytes.
std::string with_changed_bytes(std::string bytes, RandomNumbers& random) {
  const auto size = static_cast<int64_t>(bytes.size());
  const int64_t range = random.coin() ? std::min<int64_t>(size, 4000) : size;
  for (int64_t i = random.between(0, 4); i > 0; --i) {
    bytes[static_cast<size_t>(random.between(0, range - 1))] = static_cast<char>(random.between(0, 255));
  }
  if (random.between(0, 3) == 0) bytes.resize(static_cast<size_t>(random.between(0, size + 70)));
  return bytes;
}

int64_t number_in(const char* variable, int64_t otherwise) {
  const char* given = std::getenv(variable);
  return given == nullptr ? otherwise : std::atoll(given);
}

/// A model, and a file beside it that may be damaged.
struct Mutant {
  explicit Mutant(int64_t number) : random(static_cast<uint32_t>(number)) {
    const auto model = test::random_model(random_options(random), static_cast<uint32_t>(number));
    file = test::packed(model, test::kAllPrecisions[random.between(0, 2)]);
    TransformerOptions options = test::options_of(model);
    if (random.between(0, 3) == 0) change_settings(options, random);
    config.architecture = std::make_shared<architecture::TransformerArchitecture>(options);
    if (random.coin()) file = with_changed_header(file, random);
    if (random.coin()) file = with_changed_bytes(file, random);
  }

  RandomNumbers random;
  model::ModelConfig config;
  std::string file;
};

TEST(PackedFuzz, AnyFileIsRefusedOrCanBeRun) {
  const int64_t first = number_in("VENTRIS_FIRST_MUTANT", 0), count = number_in("VENTRIS_MUTANTS", 1000);
  int64_t refused = 0;
  for (int64_t number = first; number < first + count; ++number) {
    const Mutant mutant(number);
    SCOPED_TRACE(number);
    try {
      test::log_probs(*make_packed_factory(mutant.config, test::packed_file(mutant.file), {}));
    } catch (const ModelError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, count / 4);
  EXPECT_LT(refused, count * 19 / 20);
}

}  // namespace
}  // namespace ventris::engine

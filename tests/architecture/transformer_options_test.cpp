#include "architecture/transformer_options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/setting_probes.h"

namespace ventris::architecture {
namespace {

using nlohmann::json;

TransformerOptions parse_settings(const json& settings) {
  core::JsonReader reader(settings, "model");
  const ArchitecturePtr found = parse("transformer", "architecture", reader);
  reader.finish();
  return dynamic_cast<const TransformerArchitecture&>(*found).options;
}

TEST(TransformerArchitecture, SurvivesAWriteAndARead) {
  TransformerOptions config;
  config.d_model = 128;
  config.d_ff = 200;
  config.heads = 4;
  config.decoder_d_ff = 96;
  config.decoder_heads = 8;
  config.encoder_layers = 3;
  config.decoder_layers = 2;
  config.dropout = 0.25;
  config.norm = NormPlace::kPost;
  config.norm_kind = NormKind::kRms;
  config.activation = Activation::kSilu;
  config.gated_feed_forward = true;
  config.positions = Positions::kLearned;
  config.max_positions = 77;
  config.tying = Tying::kDecoder;
  config.cross_attention = CrossAttention::kWeighted;
  config.attention_score = AttentionScore::kAdditive;
  config.attention_bias = false;
  config.d_k = 5;
  config.d_v = 6;
  config.embedding_norm = true;
  config.self_attention = SelfAttention::kWindow;
  config.window = 16;
  config.global_positions = 2;
  config.norm_epsilon = 1e-12;
  config.scale_embeddings = false;
  config.final_norm = true;
  config.experts = 8;
  config.experts_per_token = 2;
  config.expert_interval = 3;
  config.expert_balance = 0.5;
  const json written = TransformerArchitecture(config).to_json();
  EXPECT_EQ(written, (json{{"d_model", 128},
                           {"d_ff", 200},
                           {"heads", 4},
                           {"decoder_d_ff", 96},
                           {"decoder_heads", 8},
                           {"encoder_layers", 3},
                           {"decoder_layers", 2},
                           {"dropout", 0.25},
                           {"norm", "post"},
                           {"norm_kind", "rms"},
                           {"activation", "silu"},
                           {"gated_feed_forward", true},
                           {"positions", "learned"},
                           {"max_positions", 77},
                           {"scale_embeddings", false},
                           {"final_norm", true},
                           {"tying", "decoder"},
                           {"cross_attention", "weighted"},
                           {"attention_score", "additive"},
                           {"attention_bias", false},
                           {"d_k", 5},
                           {"d_v", 6},
                           {"embedding_norm", true},
                           {"norm_epsilon", 1e-12},
                           {"self_attention", "window"},
                           {"window", 16},
                           {"global_positions", 2},
                           {"low_rank_size", 0},
                           {"segment", 0},
                           {"segment_memory", 0},
                           {"relative_buckets", 0},
                           {"relative_max_distance", 0},
                           {"zero_start", false},
                           {"experts", 8},
                           {"experts_per_token", 2},
                           {"expert_interval", 3},
                           {"expert_balance", 0.5}}));
  EXPECT_EQ(TransformerArchitecture(parse_settings(written)).to_json(), written);
}

TEST(TransformerArchitecture, NothingGivenIsTheBaseModelOfThePaper) {
  const TransformerOptions config = parse_settings(json::object());
  EXPECT_EQ(config.d_model, 512);
  EXPECT_EQ(config.heads, 8);
  EXPECT_EQ(config.encoder_layers, 6);
  EXPECT_EQ(config.tying, Tying::kAll);
}

TEST(TransformerArchitecture, TheDecoderHasTheWidthsOfTheEncoderUnlessItsOwnAreGiven) {
  const TransformerOptions same = parse_settings({{"heads", 4}, {"d_ff", 96}});
  EXPECT_EQ(same.decoder_side().heads, 4);
  EXPECT_EQ(same.decoder_side().d_ff, 96);
  const json settings{{"d_model", 64}, {"heads", 4}, {"d_ff", 96}, {"decoder_heads", 16}, {"decoder_d_ff", 32}};
  const TransformerOptions own = parse_settings(settings);
  EXPECT_EQ(own.decoder_side().heads, 16);
  EXPECT_EQ(own.decoder_side().key_width(), 4);
  EXPECT_EQ(own.decoder_side().d_ff, 32);
  EXPECT_EQ(own.decoder_side().decoder_side().heads, 16);
  EXPECT_EQ(own.encoder_side().heads, 4);
  EXPECT_EQ(own.encoder_side().decoder_side().d_ff, 96);
  EXPECT_EQ(TransformerArchitecture(own).guidable_attention().heads, 16);
}

TEST(TransformerArchitecture, BadSettingsAreNamedWithTheirPath) {
  const auto refused = [](const json& settings, const std::string& part) {
    EXPECT_FAILS(parse_settings(settings), ConfigError, part);
  };
  refused({{"d_model", 100}, {"heads", 8}}, "model.d_model: must be a multiple of heads (8), got 100");
  refused({{"d_model", 64}, {"heads", 8}, {"decoder_heads", 5}},
          "model.d_model: must be a multiple of decoder_heads (5), got 64");
  refused({{"decoder_heads", -1}}, "model.decoder_heads: must be from 0");
  refused({{"decoder_d_ff", -1}}, "model.decoder_d_ff: must be from 0");
  refused({{"d_model", 24}, {"heads", 6}, {"decoder_heads", 8}, {"positions", "rotary"}}, "model.positions: 'rotary'");
  refused({{"d_model", 0}}, "model.d_model: must be from 1 to 16777216, got 0");
  refused({{"heads", -1}}, "model.heads: must be from 1");
  refused({{"d_ff", int64_t{1} << 40}}, "model.d_ff: must be from 1");
  refused({{"max_positions", 7}}, "model.max_positions: must be from 8 to 65536, got 7");
  refused({{"max_positions", 65537}}, "model.max_positions: must be from 8 to 65536, got 65537");
  refused({{"dropout", 1.0}}, "model.dropout: must be at least 0 and under 1, got 1");
  refused({{"dropout", -0.1}}, "model.dropout: must be at least 0");
  refused({{"dropout", "much"}}, "model.dropout: expected a number, got \"much\"");
  refused({{"d_model", 100}, {"heads", 8}, {"d_k", 12}}, "got 100; change one of them, or give both d_k and d_v");
  refused({{"norm", "before"}}, "model.norm");
  refused({{"cross_attention", "first"}}, "model.cross_attention");
  refused({{"attention_score", "dots"}}, "model.attention_score");
  refused({{"attention_score", true}}, "model.attention_score");
  refused({{"attention_bias", "no"}}, "model.attention_bias: expected true or false, got \"no\"");
  refused({{"d_k", -1}}, "model.d_k: must be from 0 to 16777216, got -1");
  refused({{"d_v", -1}}, "model.d_v: must be from 0 to 16777216, got -1");
  refused({{"embedding_norm", 1}}, "model.embedding_norm: expected true or false, got 1");
  refused({{"norm_epsilon", 0}}, "model.norm_epsilon: must be over 0, got 0");
  refused({{"dropuot", 0.1}}, "model.dropuot: unknown setting");
  refused({{"experts", 1}}, "model.experts: must be more than experts_per_token (1), got 1");
  refused({{"experts", 2}, {"experts_per_token", 2}}, "model.experts: must be more than experts_per_token (2), got 2");
  refused({{"experts", 2000}}, "model.experts: must be from 0 to 1024, got 2000");
  refused({{"experts", 4}, {"experts_per_token", 3}}, "model.experts_per_token: must be from 1 to 2, got 3");
  refused({{"experts_per_token", 2}}, "model.experts_per_token: has an effect only with experts");
  refused({{"expert_interval", 2}}, "model.expert_interval: has an effect only with experts");
  refused({{"expert_balance", 0.1}}, "model.expert_balance: has an effect only with experts");
  refused({{"experts", 4}, {"expert_balance", -1}}, "model.expert_balance: must be at least 0");
  refused({{"experts", 4}, {"expert_interval", 7}}, "model.expert_interval: must be at most the number of layers (6)");
  refused({{"src_vocab", 100}}, "model.src_vocab: unknown setting");
}

TEST(TransformerArchitecture, SizesThatDoNotFitTheKindOfSelfAttentionAreRefusedWithWhatWouldFit) {
  const auto refused = [](const json& settings, const std::string& part) {
    EXPECT_FAILS(parse_settings(settings), ConfigError, part);
  };
  refused({{"self_attention", "windows"}}, "model.self_attention: expected one of");
  refused({{"self_attention", "window"}},
          "model.window: with self_attention 'window', expected from 1 to max_positions (1024), got 0");
  refused({{"self_attention", "window"}, {"window", 65}, {"max_positions", 64}},
          "model.window: with self_attention 'window', expected from 1 to max_positions (64), got 65");
  refused({{"self_attention", "window"}, {"window", 4}, {"global_positions", 65}, {"max_positions", 64}},
          "model.global_positions: with self_attention 'window', expected from 0 to max_positions (64), got 65");
  refused({{"self_attention", "low_rank"}}, "model.low_rank_size: with self_attention 'low_rank', expected from 1");
  refused({{"self_attention", "low_rank"}, {"low_rank_size", 2000}}, "to max_positions (1024), got 2000");
  refused({{"window", 8}},
          "model.window: has an effect only with self_attention 'window', found 'full'; leave it out, or set");
  refused({{"self_attention", "linear"}, {"global_positions", 1}}, "model.global_positions: has an effect only with");
  refused({{"self_attention", "linear"}, {"low_rank_size", 1}}, "model.low_rank_size: has an effect only with");
  refused({{"self_attention", "linear"}, {"attention_score", "dot"}},
          "model.attention_score: 'dot' does not work with self_attention 'linear'");
  const json segment{{"self_attention", "segment"}, {"positions", "relative"}};
  const auto with = [](json settings, const json& more) {
    settings.update(more);
    return settings;
  };
  refused(segment, "model.segment: with self_attention 'segment', expected from 1 to max_positions (1024), got 0");
  refused(with(segment, {{"segment", 1025}}), "to max_positions (1024), got 1025");
  refused(with(segment, {{"segment", 8}, {"segment_memory", 1025}}),
          "model.segment_memory: with self_attention 'segment', expected from 0 to max_positions (1024), got 1025");
  refused({{"segment", 8}}, "model.segment: has an effect only with self_attention 'segment', found 'full'");
  refused({{"segment_memory", 8}}, "model.segment_memory: has an effect only with self_attention 'segment'");
  refused(with(segment, {{"segment", 8}, {"positions", "learned"}}),
          "model.positions: with self_attention 'segment', expected 'relative', got 'learned'; set it to 'relative'");
  refused({{"self_attention", "window"}, {"window", 8}, {"positions", "relative"}},
          "model.positions: 'relative' works only with self_attention 'segment', found 'window'; use 'sinusoidal'");
  refused(with(segment, {{"segment", 8}, {"attention_score", "cosine"}}),
          "model.attention_score: 'cosine' does not work with self_attention 'segment'");
  refused({{"window", -1}}, "model.window: must be from 0 to 16777216, got -1");
}

TEST(TransformerArchitecture, SegmentsWithRelativePositionsAreAccepted) {
  const TransformerOptions config = parse_settings(
      {{"self_attention", "segment"}, {"positions", "relative"}, {"segment", 64}, {"segment_memory", 200}});
  EXPECT_EQ(config.self_attention, SelfAttention::kSegment);
  EXPECT_EQ(config.positions, Positions::kRelative);
  EXPECT_EQ(config.segment, 64);
  EXPECT_EQ(config.segment_memory, 200);
}

TEST(TransformerArchitecture, AnSsruTakesThePlaceOfTheSelfAttentionOfTheDecoder) {
  const TransformerOptions config = parse_settings({{"self_attention", "ssru"}});
  std::vector<std::string> names;
  TransformerArchitecture(config).each_tensor([&](const std::string& name, const auto&) { names.push_back(name); });
  const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  EXPECT_TRUE(has("decoder.layers.0.ssru.input.weight") && has("decoder.layers.0.ssru.forget.bias"));
  EXPECT_FALSE(has("decoder.layers.0.ssru.input.bias") || has("decoder.layers.0.self_attn.linears.0.weight"));
  EXPECT_TRUE(has("encoder.layers.0.self_attn.linears.0.weight"));
  EXPECT_FAILS(parse_settings({{"self_attention", "ssru"}, {"positions", "rotary"}}), ConfigError,
               "model.positions: 'rotary' works only with self_attention 'full', found 'ssru'");
}

TEST(TransformerArchitecture, AFinalNormIsForPostNormOnly) {
  EXPECT_TRUE(parse_settings({{"norm", "post"}, {"final_norm", true}}).has_final_norm());
  EXPECT_FALSE(parse_settings({{"norm", "post"}}).has_final_norm());
  EXPECT_TRUE(parse_settings({{"norm", "pre"}}).has_final_norm());
  EXPECT_FAILS(parse_settings({{"final_norm", true}}), ConfigError,
               "model.final_norm: has an effect only with norm 'post'");
}

TEST(TransformerArchitecture, TheEmbeddingFactorIsTheSquareRootOfTheWidthOrOne) {
  EXPECT_EQ(parse_settings({{"d_model", 16}, {"heads", 2}}).embedding_factor(), 4);
  EXPECT_EQ(parse_settings({{"d_model", 16}, {"heads", 2}, {"scale_embeddings", false}}).embedding_factor(), 1);
}

TEST(TransformerArchitecture, RotaryPositionsNeedFullAttentionScaledDotProductsAndAnEvenWidth) {
  EXPECT_EQ(parse_settings({{"positions", "rotary"}}).positions, Positions::kRotary);
  EXPECT_EQ(parse_settings({{"positions", "sinusoidal_halves"}}).positions, Positions::kHalvedSinusoidal);
  EXPECT_FAILS(parse_settings({{"positions", "sinusoidal_halves"}, {"d_model", 5}, {"heads", 5}}), ConfigError,
               "model.positions: 'sinusoidal_halves' needs an even d_model of at least 4, found 5");
  const auto refused = [](json settings, const std::string& part) {
    settings["positions"] = "rotary";
    EXPECT_FAILS(parse_settings(settings), ConfigError, "model.positions: 'rotary' " + part);
  };
  refused({{"self_attention", "window"}, {"window", 8}}, "works only with self_attention 'full', found 'window'");
  refused({{"attention_score", "cosine"}}, "works only with attention_score 'scaled_dot', found 'cosine'");
  refused({{"d_k", 5}, {"d_v", 6}}, "needs an even number of features in each head, found 5");
}

TEST(TransformerArchitecture, BucketsOfDistancesNeedPlainAttentionAndNearAndFarOnes) {
  const TransformerOptions usual = parse_settings({{"positions", "relative_bias"}});
  EXPECT_EQ(usual.positions, Positions::kRelativeBias);
  EXPECT_EQ(usual.bucket_count(), 32);
  EXPECT_EQ(usual.bucket_distance(), 128);
  const auto refused = [](json settings, const std::string& message) {
    settings["positions"] = "relative_bias";
    EXPECT_FAILS(parse_settings(settings), ConfigError, "model." + message);
  };
  refused({{"self_attention", "linear"}},
          "positions: 'relative_bias' works only with self_attention 'full', found 'linear'; use 'sinusoidal' or");
  refused({{"self_attention", "ssru"}}, "positions: 'relative_bias' works only with self_attention 'full'");
  refused({{"attention_score", "dot"}},
          "positions: 'relative_bias' works only with attention_score 'scaled_dot', found 'dot'");
  refused({{"relative_buckets", 3}}, "relative_buckets: must be an even number from 4, got 3; half of them");
  refused({{"relative_buckets", 2}}, "relative_buckets: must be an even number from 4, got 2");
  refused({{"relative_buckets", -2}}, "relative_buckets: must be from 0 to 65536, got -2");
  refused({{"relative_max_distance", 16}},
          "relative_max_distance: must be more than half of the 32 relative_buckets, got 16; make it larger, or");
  refused({{"relative_max_distance", 65537}}, "relative_max_distance: must be from 0 to 65536, got 65537");
}

TEST(TransformerArchitecture, BucketsOfDistancesWithoutThemAreRefused) {
  EXPECT_FAILS(
      parse_settings({{"relative_buckets", 32}}), ConfigError,
      "model.relative_buckets: has an effect only with positions 'relative_bias', found 'sinusoidal'; leave it "
      "out, or set positions");
  EXPECT_FAILS(parse_settings({{"relative_max_distance", 128}, {"positions", "rotary"}}), ConfigError,
               "model.relative_max_distance: has an effect only with positions 'relative_bias', found 'rotary'");
}

TEST(TransformerArchitecture, HeadsOfGivenWidthsNeedNotDivideTheWidth) {
  const TransformerOptions config = parse_settings({{"d_model", 100}, {"heads", 8}, {"d_k", 12}, {"d_v", 13}});
  EXPECT_EQ(config.key_width(), 12);
  EXPECT_EQ(config.value_width(), 13);
  EXPECT_EQ(parse_settings({{"d_model", 96}, {"heads", 8}}).key_width(), 12);
}

TEST(TransformerArchitecture, DecoderLayersAreSpreadEvenlyOverEncoderLayers) {
  const auto attended = [](int64_t encoder_layers, int64_t decoder_layers) {
    TransformerOptions options;
    options.encoder_layers = encoder_layers;
    options.decoder_layers = decoder_layers;
    std::vector<int64_t> found;
    for (int64_t i = 0; i < decoder_layers; ++i) found.push_back(attended_layer(options, i));
    return found;
  };
  EXPECT_EQ(attended(3, 3), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(attended(6, 3), (std::vector<int64_t>{1, 3, 5}));
  EXPECT_EQ(attended(3, 6), (std::vector<int64_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(attended(5, 2), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(attended(6, 1), (std::vector<int64_t>{5}));
}

TEST(TransformerArchitecture, VocabulariesComeFromOutsideAndChangeNothingElse) {
  TransformerOptions options;
  options.d_model = 64;
  const TransformerArchitecture before(options);
  const ArchitecturePtr after = before.with_vocabularies(100, 200);
  EXPECT_EQ(after->src_vocab(), 100);
  EXPECT_EQ(after->tgt_vocab(), 200);
  EXPECT_EQ(after->to_json(), before.to_json());
  EXPECT_EQ(before.src_vocab(), 0);
}

TEST(TransformerArchitecture, TyingAllNeedsOneTokenizer) {
  TransformerOptions options;
  EXPECT_FAILS(TransformerArchitecture(options).check_tokenizers(false), ConfigError,
               "model.tying: 'all' shares the embeddings of both sides, which needs one tokenizer");
  EXPECT_NO_THROW(TransformerArchitecture(options).check_tokenizers(true));
  options.tying = Tying::kDecoder;
  EXPECT_NO_THROW(TransformerArchitecture(options).check_tokenizers(false));
}

TEST(TransformerArchitecture, AVisitorThatThrowsEndsTheVisit) {
  TransformerOptions options;
  options.encoder_layers = 1 << 24;
  int64_t visited = 0;
  const auto visit = [&](const std::string&, const std::vector<int64_t>&) {
    if (++visited == 3) throw std::runtime_error("enough");
  };
  EXPECT_THROW(TransformerArchitecture(options).each_tensor(visit), std::runtime_error);
  EXPECT_EQ(visited, 3);
}

TEST(TransformerArchitecture, DescribesEverySettingThatItWrites) {
  TransformerOptions options;
  options.attention_dropout = options.activation_dropout = options.embedding_dropout = 0;
  const auto settings = TransformerArchitecture().describe();
  EXPECT_EQ(settings.size(), TransformerArchitecture(options).to_json().size());
  for (const auto& setting : settings) {
    const std::string key = setting.path.substr(std::string("model.").size());
    EXPECT_TRUE(TransformerArchitecture(options).to_json().contains(key)) << key;
    EXPECT_FALSE(setting.meaning.empty()) << key;
    EXPECT_EQ(setting.fallback.empty(), !TransformerArchitecture().to_json().contains(key)) << key;
  }
}

TEST(TransformerArchitecture, TheLimitsThatItDescribesAreThoseOfItsParser) {
  size_t checked = 0;
  for (const auto& setting : TransformerArchitecture().describe()) {
    const std::string key = setting.path.substr(std::string("model.").size());
    for (const test::Probe& probe : test::probes_of(setting)) {
      std::string error;
      try {
        parse_settings({{key, probe.value}});
      } catch (const ConfigError& thrown) {
        error = thrown.what();
      }
      const bool refused =
          error.starts_with(setting.path + ": must be ") && error.find("multiple") == std::string::npos;
      EXPECT_EQ(refused, !probe.allowed) << setting.path << " " << probe.value << ": " << error;
      ++checked;
    }
  }
  EXPECT_GT(checked, 30U);
}

}  // namespace
}  // namespace ventris::architecture

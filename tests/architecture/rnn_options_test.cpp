#include "architecture/rnn_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/setting_probes.h"

namespace ventris::architecture {
namespace {

using nlohmann::json;

RnnOptions parse_settings(const json& settings) {
  core::JsonReader reader(settings, "model");
  const ArchitecturePtr found = parse("rnn", "architecture", reader);
  reader.finish();
  return dynamic_cast<const RnnArchitecture&>(*found).options;
}

TEST(RnnArchitecture, SurvivesAWriteAndARead) {
  RnnOptions config;
  config.cell = RecurrentCell::kLstm;
  config.encoder_layers = 3;
  config.decoder_layers = 2;
  config.d_embedding = 96;
  config.d_hidden = 96;
  config.attention = Scoring::kBilinear;
  config.input_feeding = false;
  config.dropout = 0.25;
  config.max_length = 77;
  config.tying = Tying::kDecoder;
  const json written = RnnArchitecture(config).to_json();
  EXPECT_EQ(written, (json{{"cell", "lstm"},
                           {"encoder_layers", 3},
                           {"decoder_layers", 2},
                           {"d_embedding", 96},
                           {"d_hidden", 96},
                           {"attention", "bilinear"},
                           {"input_feeding", false},
                           {"dropout", 0.25},
                           {"max_length", 77},
                           {"tying", "decoder"}}));
  EXPECT_EQ(RnnArchitecture(parse_settings(written)).to_json(), written);
}

TEST(RnnArchitecture, NothingGivenIsTheModelOfBahdanau) {
  const RnnOptions config = parse_settings(json::object());
  EXPECT_EQ(config.cell, RecurrentCell::kGru);
  EXPECT_EQ(config.attention, Scoring::kAdditive);
  EXPECT_TRUE(config.attends_first());
  EXPECT_FALSE(config.feeds_back());
  EXPECT_EQ(RnnArchitecture(config).width(), config.d_hidden);
}

TEST(RnnArchitecture, BadSettingsAreNamedWithTheirPath) {
  const auto refused = [](const json& settings, const std::string& part) {
    EXPECT_FAILS(parse_settings(settings), ConfigError, part);
  };
  refused({{"cell", "rnn"}}, "model.cell: expected one of gru, lstm; got 'rnn'");
  refused({{"encoder_layers", 0}}, "model.encoder_layers: must be from 1 to 4, got 0");
  refused({{"decoder_layers", 5}}, "model.decoder_layers: must be from 1 to 4, got 5");
  refused({{"attention", "general"}}, "model.attention: expected one of none, additive, dot, bilinear; got 'general'");
  refused({{"attention", "none"}}, "model.input_feeding: must be false with 'attention': 'none'");
  refused({{"tying", "decoder"}, {"d_hidden", 8}}, "needs d_embedding = d_hidden, got 512 and 8");
  refused({{"max_length", 7}}, "model.max_length: must be from 8");
  refused({{"heads", 8}}, "model.heads: unknown setting");
}

TEST(RnnArchitecture, EverySettingIsDescribedWithItsLimits) {
  const auto settings = RnnArchitecture().describe();
  EXPECT_EQ(settings.size(), RnnArchitecture().to_json().size());
  for (const auto& setting : settings) {
    EXPECT_GT(setting.meaning.size(), 10U) << setting.path;
    for (const test::Probe& probe : test::probes_of(setting)) {
      json given = json::object();
      given[setting.path.substr(6)] = probe.value;  // without "model."
      if (probe.allowed) {
        EXPECT_NO_THROW(parse_settings(given)) << given;
      } else {
        EXPECT_THROW(parse_settings(given), ConfigError) << given;
      }
    }
  }
}

TEST(RnnArchitecture, OnlyTyingAllNeedsOneTokenizer) {
  RnnOptions config;
  for (const auto& [tying, refused] : {std::pair{Tying::kNone, false}, {Tying::kDecoder, false}, {Tying::kAll, true}}) {
    config.tying = tying;
    EXPECT_NO_THROW(RnnArchitecture(config).check_tokenizers(true));
    if (refused) {
      EXPECT_FAILS(RnnArchitecture(config).check_tokenizers(false), ConfigError, "model.tying: 'all'");
    } else {
      EXPECT_NO_THROW(RnnArchitecture(config).check_tokenizers(false));
    }
  }
}

TEST(RnnArchitecture, VocabulariesAreSetTogether) {
  const auto sized = RnnArchitecture().with_vocabularies(11, 13);
  EXPECT_EQ(sized->src_vocab(), 11);
  EXPECT_EQ(sized->tgt_vocab(), 13);
}

}  // namespace
}  // namespace ventris::architecture

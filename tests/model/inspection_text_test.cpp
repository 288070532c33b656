#include "model/inspection_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ventris::model {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

ordered_json bundle() {
  return ordered_json::parse(R"({
    "kind": "bundle", "path": "m", "bytes": 1536,
    "files": [{"name": "config.json", "bytes": 1023}, {"name": "model.safetensors", "bytes": 1048576}],
    "settings": {"d_model": 4, "dropout": 0.10000000149, "norm": "pre", "deeper": {"a": 1}},
    "tokenizers": {"shared": true, "source": {"pieces": 8000, "kind": "bpe", "bytes": 2048}},
    "parameters": {"total": 1234567, "modules": [
      {"name": "encoder", "tensors": 3, "parameters": 1234567, "parts": [
        {"name": "layers.0", "tensors": 2, "parameters": 1234563}, {"name": "norm", "tensors": 1, "parameters": 4}]},
      {"name": "generator", "tensors": 1, "parameters": 0, "tied_to": ["src_embed.0.lut.weight"], "parts": [
        {"name": "proj", "tensors": 1, "parameters": 0}]}]},
    "tensors": [{"name": "encoder.norm.weight", "dtype": "F32", "shape": [4]}]})");
}

TEST(ModelReport, SizesAndNumbersAreRoundedAndGrouped) {
  const std::string text = to_text(bundle(), false);
  EXPECT_THAT(text, testing::StartsWith("m: bundle, 1.5 KiB, all checksums are correct\n"));
  EXPECT_THAT(text, HasSubstr("settings        d_model 4, dropout 0.1, norm pre\n"));
  EXPECT_THAT(text, HasSubstr("source.spm      8,000 pieces (bpe), 2.0 KiB, for both sides\n"));
  EXPECT_THAT(text, HasSubstr("  config.json                                1023 bytes\n"));
  EXPECT_THAT(text, HasSubstr("  model.safetensors                             1.0 MiB\n"));
  EXPECT_THAT(text, HasSubstr("\n1,234,567 parameters\n"));
}

TEST(ModelReport, AModuleOfSeveralPartsListsThemAndATiedOneItsOwner) {
  const std::string text = to_text(bundle(), false);
  EXPECT_THAT(text, HasSubstr("    norm                            1 tensor                4    0.0 %\n"));
  EXPECT_THAT(text, HasSubstr("  generator                         1 tensor                0    0.0 %  = src_embed.0"));
  EXPECT_THAT(text, Not(HasSubstr("proj")));
}

TEST(ModelReport, TensorsAreListedOnRequest) {
  EXPECT_THAT(to_text(bundle(), false), Not(HasSubstr("tensors\n")));
  EXPECT_THAT(to_text(bundle(), true), HasSubstr("F32  [4]\n"));
}

TEST(ModelReport, DamageIsSaidInTheHeadlineAndBesideItsPart) {
  const auto report = ordered_json::parse(R"({"kind": "run", "path": "r", "bytes": 10, "problem": "bad",
    "checkpoints": [{"name": "step-1", "bytes": 5, "problem": "bad \u001b[2J"},
                    {"name": "step-2", "bytes": 5, "updates": 2}]})");
  const std::string text = to_text(report, false);
  EXPECT_THAT(text, testing::StartsWith("r: run folder, 10 bytes, DAMAGED\n"));
  EXPECT_THAT(text, HasSubstr("checkpoints/step-1                            5 bytes  DAMAGED: bad \\x1b[2J\n"));
  EXPECT_THAT(text, HasSubstr("checkpoints/step-2                            5 bytes  updates 2\n"));
}

TEST(ModelReport, NoNameOrValueReachesTheTerminalRaw) {
  auto report = bundle();
  report["path"] = "m\x1b[2J";
  report["settings"]["a\u009b"] = "\x7f\u202e\"";
  report["files"][0]["name"] = "\xff\nconfig.json";
  report["tensors"][0]["name"] = "\r";
  const std::string text = to_text(report, true);
  EXPECT_THAT(text, testing::StartsWith("m\\x1b[2J: bundle"));
  EXPECT_THAT(text, HasSubstr(", a\\u009b \\x7f\\u202e\"\n"));
  EXPECT_THAT(text, HasSubstr("  \\xff\\nconfig.json "));
  EXPECT_THAT(text, HasSubstr("  \\r "));
}

}  // namespace
}  // namespace ventris::model

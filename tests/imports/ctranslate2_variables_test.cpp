#include "imports/ctranslate2_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/ctranslate2_writer.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

CTranslate2Variables variables_in(const std::string& bytes) { return {core::SharedBytes(bytes), "model.bin"}; }
CTranslate2Variables variables_in(const CTranslate2Writer& writer) { return variables_in(writer.finish()); }

std::string int8s(const std::vector<int8_t>& values) { return bytes_of(values); }

TEST(CTranslate2Variables, EveryTypeBecomesFloats) {
  const auto found = variables_in(CTranslate2Writer()
                                      .floats("a", {2}, {1, -2})
                                      .add("half", {2}, kF16, bytes_of<uint16_t>({0x3c00, 0xc000}))
                                      .add("brain", {2}, kBf16, bytes_of<uint16_t>({0x3f80, 0xc000}))
                                      .add("w", {2, 2}, kI8, int8s({127, 1, -4, 2}))
                                      .floats("w_scale", {2}, {127, 2})
                                      .add("v", {2, 1}, kI16, bytes_of<int16_t>({512, -1024}))
                                      .floats("v_scale", {}, {1024}));
  for (const char* name : {"a", "half", "brain"}) EXPECT_THAT(found.floats(name), ElementsAre(1, -2)) << name;
  EXPECT_THAT(found.floats("w"), ElementsAre(1, FloatEq(1 / 127.0F), -2, 1));
  EXPECT_THAT(found.floats("v"), ElementsAre(0.5F, -1));
  EXPECT_EQ(found.types(), "int16 and int8");
  EXPECT_THAT(found.names(), ElementsAre("a", "brain", "half", "v", "w")) << "without scales";
}

TEST(CTranslate2Variables, AnAliasHasTheScalesOfItsVariable) {
  const auto found = variables_in(CTranslate2Writer()
                                      .add("w", {2, 1}, kI8, int8s({4, 8}))
                                      .floats("w_scale", {2}, {4, 2})
                                      .alias("other", "w")
                                      .alias("third", "other"));
  EXPECT_THAT(found.floats("third"), ElementsAre(1, 4));
  EXPECT_THAT(found.names(), ElementsAre("other", "third", "w"));
}

TEST(CTranslate2Variables, OldFilesKnowOnlyTheSizeOfAnElementAndNoScaleOfInt16) {
  const auto found = variables_in(CTranslate2Writer(2, "TransformerBig", 2)
                                      .floats("a", {1}, {3})
                                      .add("v", {2}, kI16, bytes_of<int16_t>({500, -1000})));
  EXPECT_THAT(found.floats("a"), ElementsAre(3));
  EXPECT_THAT(found.floats("v"), ElementsAre(0.5F, -1)) << "int16 without a scale was multiplied by 1000";
  EXPECT_EQ(found.number("encoder/num_heads"), 16);
  EXPECT_EQ(found.number("decoder/num_heads"), 16);
}

TEST(CTranslate2Variables, TheFirstRevisionHasTheNamesOfOpenNMT) {
  CTranslate2Writer writer(1);
  for (const char* name :
       {"encoder/w_embs:0", "encoder/layer_0/multi_head/conv1d/kernel:0", "encoder/layer_0/multi_head/conv1d_1/bias:0",
        "encoder/LayerNorm/gamma:0", "decoder/layer_0/masked_multi_head/conv1d/kernel:0",
        "decoder/layer_0/multi_head/conv1d_2/kernel:0", "decoder/dense/kernel:0"}) {
    writer.floats("transformer/" + std::string(name), {1}, {1});
  }
  EXPECT_THAT(
      variables_in(writer).names(),
      ElementsAre("decoder/layer_0/attention/linear_2/weight", "decoder/layer_0/self_attention/linear_0/weight",
                  "decoder/num_heads", "decoder/projection/weight", "encoder/embeddings/weight",
                  "encoder/layer_0/self_attention/linear_0/weight", "encoder/layer_0/self_attention/linear_1/bias",
                  "encoder/layer_norm/gamma", "encoder/num_heads"));
}

TEST(CTranslate2Variables, SettingsOfBothSidesAreGivenToEach) {
  const auto found = variables_in(CTranslate2Writer(4, "TransformerSpec", 4)
                                      .add("num_heads", {}, kI16, bytes_of<int16_t>({4}))
                                      .flag("pre_norm", 0)
                                      .flag("decoder/pre_norm", 1));
  EXPECT_EQ(found.number("encoder/num_heads"), 4);
  EXPECT_EQ(found.number("encoder/pre_norm"), 0);
  EXPECT_EQ(found.number("decoder/pre_norm"), 1) << "what a side says itself stays";
  EXPECT_FALSE(found.contains("num_heads"));
}

TEST(CTranslate2Variables, SettingsAreNumbersFlagsAndTexts) {
  const auto found = variables_in(CTranslate2Writer()
                                      .floats("scale", {}, {2.5})
                                      .flag("yes", 1)
                                      .add("count", {}, kI32, bytes_of<int32_t>({70000}))
                                      .add("eos_token", {4}, kI8, "</s>"));
  EXPECT_EQ(found.number("scale"), 2.5);
  EXPECT_EQ(found.number("count"), 70000);
  EXPECT_EQ(found.number("none"), std::nullopt);
  EXPECT_TRUE(found.is_flag("yes"));
  EXPECT_FALSE(found.is_flag("scale"));
  EXPECT_EQ(found.text("eos_token", ""), "</s>");
  EXPECT_EQ(found.text("bos_token", "<s>"), "<s>");
  EXPECT_FAILS(found.number("eos_token"), ModelError, "variable 'eos_token': expected one number, found shape [4]");
  EXPECT_FAILS(found.text("scale", ""), ModelError, "variable 'scale': expected a text, found f32");
  EXPECT_FAILS(found.floats("count"), ModelError, "'count': expected floating-point numbers, int8 or int16");
  EXPECT_FAILS(found.floats("none"), ModelError, "model.bin: has no variable 'none'");
}

TEST(CTranslate2Variables, OtherProgramsVersionsAndModelsAreNamed) {
  EXPECT_FAILS(variables_in(CTranslate2Writer(7)), ModelError,
               "model.bin: expected a model.bin of CTranslate2 with a file version from 1 to 6, found 7");
  EXPECT_FAILS(variables_in("PK some other file"), ModelError, "it is of another program, or of a newer CTranslate2");
  EXPECT_FAILS(variables_in(CTranslate2Writer(6, "WhisperSpec", 3)), ModelError,
               "expected a Transformer that translates (TransformerSpec), found a WhisperSpec");
  EXPECT_FAILS(variables_in(CTranslate2Writer(6, "TransformerSpec", 8)), ModelError,
               "expected TransformerSpec of a revision from 1 to 7, found 8");
}

TEST(CTranslate2Variables, DamagedFilesAreRefusedWithThePlace) {
  const std::string whole = CTranslate2Writer().floats("a", {2}, {1, 2}).alias("b", "a").finish();
  for (size_t size = 4; size < whole.size(); ++size) {
    EXPECT_FAILS(variables_in(whole.substr(0, size)), ModelError, "it ends too early, at byte ");
  }
  EXPECT_FAILS(variables_in(whole + "x"), ModelError, "it has 1 bytes after its end");
  EXPECT_FAILS(variables_in(CTranslate2Writer().floats("a", {3}, {1, 2})), ModelError,
               "a has another size than its shape says");
  EXPECT_FAILS(variables_in(CTranslate2Writer().floats("a", {0xffffffff, 0xffffffff, 0xffffffff}, {})), ModelError,
               "a has another size than its shape says");
  EXPECT_FAILS(variables_in(CTranslate2Writer().add("a", {1}, 9, "x")), ModelError, "a has an unknown type");
  EXPECT_FAILS(variables_in(CTranslate2Writer().floats("a", std::vector<uint32_t>(9, 1), {1})), ModelError,
               "a has too many dimensions");
  EXPECT_FAILS(variables_in(CTranslate2Writer().floats("a", {}, {1}).floats("a", {}, {1})), ModelError,
               "the variable 'a' is there twice");
  EXPECT_FAILS(variables_in(CTranslate2Writer().alias("a", "b")), ModelError, "a stands for b, which is not there");
  EXPECT_FAILS(variables_in(CTranslate2Writer().floats("a", {}, {1}).alias("a", "a")), ModelError, "a is there twice");
  EXPECT_FAILS(variables_in(CTranslate2Writer().floats("a\n", {}, {1})), ModelError, "a name is not a printable text");
  std::string many = CTranslate2Writer().finish();
  many.replace(many.size() - 8, 4, CTranslate2Writer::number(0xffffffff, 4));
  EXPECT_FAILS(variables_in(many), ModelError, "it says that it has 4294967295 variables");
  many = CTranslate2Writer().finish();
  many.replace(many.size() - 4, 4, CTranslate2Writer::number(0xffffffff, 4));
  EXPECT_FAILS(variables_in(many), ModelError, "it says that it has 4294967295 aliases");
}

TEST(CTranslate2Variables, ScalesThatCannotBeAreNamed) {
  const auto weights = [] { return CTranslate2Writer().add("w", {2, 1}, kI8, int8s({1, 2})); };
  EXPECT_FAILS(variables_in(weights()).floats("w"), ModelError, "the variable 'w' is in int8, but has no scales");
  EXPECT_FAILS(variables_in(weights().floats("w_scale", {3}, {1, 1, 1})).floats("w"), ModelError,
               "variable 'w_scale': expected a scale, or one for each of 2 rows, found 3");
  EXPECT_FAILS(variables_in(weights().floats("w_scale", {2}, {1, 0})).floats("w"), ModelError,
               "variable 'w_scale': expected scales over 0, found 0");
  EXPECT_FAILS(variables_in(weights().add("w_scale", {2}, kI8, "ab")).floats("w"), ModelError,
               "variable 'w_scale': expected floating-point numbers, found int8");
}

}  // namespace
}  // namespace ventris::imports

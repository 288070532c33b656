#include "text/model_proto.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "support/model_writer.h"

namespace ventris::text {
namespace {

const std::string kModel =
    test::piece_field("a", PieceType::kNormal, -2.5F) + test::piece_field("<x>", PieceType::kUserDefined) +
    test::trainer_field(test::number_field(3, 2) + test::number_field(35, 1) + test::bytes_field(44, "?")) +
    test::charsmap_field("map");

TEST(ModelProto, PiecesSettingsAndRulesAreFound) {
  const auto model = parse_model_proto(kModel);
  ASSERT_TRUE(model);
  ASSERT_EQ(model->pieces.size(), 2U);
  EXPECT_EQ(model->pieces[0].text, "a");
  EXPECT_EQ(model->pieces[0].score, -2.5F);
  EXPECT_EQ(model->pieces[1].type, PieceType::kUserDefined);
  EXPECT_EQ(model->type, ModelType::kBpe);
  EXPECT_TRUE(model->byte_fallback);
  EXPECT_EQ(model->unknown_surface, "?");
  EXPECT_EQ(model->charsmaps, std::vector<std::string_view>{"map"});
  EXPECT_FALSE(model->self_tests);
}

TEST(ModelProto, OfFieldsThatAreThereTwiceTheLastCountsAndEachMapIsFound) {
  const std::string bytes = kModel + test::trainer_field(test::number_field(3, 1)) + test::charsmap_field("other") +
                            test::bytes_field(5, test::bytes_field(2, "back"));
  const auto model = parse_model_proto(bytes);  // refers to the bytes
  ASSERT_TRUE(model);
  EXPECT_EQ(model->type, ModelType::kUnigram);
  EXPECT_EQ(model->charsmaps, (std::vector<std::string_view>{"map", "other", "back"}));
}

TEST(ModelProto, UserDefinedPiecesAreFoundByTheirType) {
  EXPECT_EQ(user_defined_pieces(kModel), std::vector<int32_t>{1});
  EXPECT_TRUE(user_defined_pieces(test::piece_field("a")).empty());
}

TEST(ModelProto, TextEmptinessAndTruncationsAreNone) {
  EXPECT_TRUE(parse_model_proto("")->pieces.empty());
  EXPECT_FALSE(parse_model_proto("<pad>\n<unk>\n<s>\n"));
  for (size_t size = 0; size < kModel.size(); ++size) {
    const auto cut = parse_model_proto(std::string_view(kModel).substr(0, size));
    EXPECT_TRUE(!cut || cut->pieces.size() < 2 || cut->charsmaps.empty()) << size;
  }
}

TEST(ModelProto, KnownFieldsOfAnotherTypeAreNone) {
  for (const std::string& odd :
       {test::number_field(1, 7), test::bytes_field(1, test::number_field(1, 7)),
        test::bytes_field(1, test::bytes_field(3, "x")), test::bytes_field(1, test::number_field(2, 1)),
        test::trainer_field(test::bytes_field(3, "x")), test::trainer_field(test::number_field(44, 1)),
        test::bytes_field(3, test::number_field(2, 1)), test::number_field(5, 1)}) {
    EXPECT_FALSE(parse_model_proto(kModel + odd));
  }
  EXPECT_TRUE(parse_model_proto(kModel + test::number_field(200, 1)));
}

TEST(ModelProto, SelfTestsAreLeftOutAndNothingElse) {
  const std::string with = test::bytes_field(4, "x") + kModel + test::bytes_field(4, "y") + test::number_field(200, 1);
  EXPECT_TRUE(parse_model_proto(with)->self_tests);
  EXPECT_EQ(without_self_tests(with), kModel + test::number_field(200, 1));
}

TEST(ModelProto, ArbitraryBytesDoNoHarm) {
  const core::RandomStream random(3, 0);
  for (uint64_t trial = 0; trial < 5000; ++trial) {
    std::string bytes = kModel;
    for (uint64_t draw = trial * 64; draw < trial * 64 + trial % 8; ++draw) {
      bytes[random.below(draw, bytes.size())] = static_cast<char>(random.bits(draw + 32));
    }
    parse_model_proto(bytes);
    without_self_tests(bytes);
  }
}

}  // namespace
}  // namespace ventris::text

#include "text/model_proto.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace ventris::text {
namespace {

using namespace std::string_view_literals;

// field 1 (two pieces of two bytes), field 2 (trainer_spec with field 3 = 2)
constexpr std::string_view kTwoBpePieces = "\x0A\x02\x0A\x00\x0A\x02\x0A\x00\x12\x02\x18\x02"sv;

TEST(ModelProto, PiecesAndKindAreFound) {
  const auto summary = summarise_model_proto(kTwoBpePieces);
  EXPECT_TRUE(summary.well_formed);
  EXPECT_EQ(summary.pieces, 2);
  EXPECT_EQ(summary.model_type, 2);
}

TEST(ModelProto, UserDefinedPiecesAreFoundByTheirType) {
  // three pieces, the second and third with field 3 = 4 and 3
  EXPECT_EQ(user_defined_pieces("\x0A\x02\x0A\x00\x0A\x04\x0A\x00\x18\x04\x0A\x04\x0A\x00\x18\x03"sv),
            std::vector<int32_t>{1});
  EXPECT_TRUE(user_defined_pieces(kTwoBpePieces).empty());
}

TEST(ModelProto, TextEmptinessAndTruncationsAreNotWellFormed) {
  EXPECT_FALSE(summarise_model_proto("").well_formed);
  EXPECT_FALSE(summarise_model_proto("<pad>\n<unk>\n<s>\n").well_formed);
  for (const size_t size : {1, 2, 3, 5, 9, 10, 11}) {
    EXPECT_FALSE(summarise_model_proto(kTwoBpePieces.substr(0, size)).well_formed) << size;
  }
}

TEST(ModelProto, ArbitraryBytesDoNoHarm) {
  const core::RandomStream random(3, 0);
  for (uint64_t trial = 0; trial < 5000; ++trial) {
    std::string bytes(kTwoBpePieces);
    for (uint64_t draw = trial * 64; draw < trial * 64 + trial % 8; ++draw) {
      bytes[random.below(draw, bytes.size())] = static_cast<char>(random.bits(draw + 32));
    }
    summarise_model_proto(bytes);
  }
}

}  // namespace
}  // namespace ventris::text

#include "files/gzip_packer.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "support/gzip.h"

namespace ventris::files {
namespace {

using core::RandomStream;
using Then = GzipPacker::Then;

TEST(GzipPacker, PiecesBecomeOneMember) {
  const RandomStream random(1, 0);
  std::string bytes, packed;
  GzipPacker packer;
  for (uint64_t piece = 0; piece < 50; ++piece) {
    std::string part(random.below(piece, 9000), '\0');  // more than a block of the packer at times
    for (size_t i = 0; i < part.size(); ++i) part[i] = static_cast<char>(random.below(piece * 10'000 + i, 256));
    packed += packer.pack(part, piece % 7 == 0 ? Then::kFlush : Then::kMore);
    bytes += part;
    if (piece % 7 == 0) {
      EXPECT_EQ(test::unpacked(packed), bytes);
    }
  }
  packed += packer.pack("", Then::kEnd);
  EXPECT_EQ(test::unpacked(packed), bytes);
}

TEST(GzipPacker, NothingIsAMemberToo) {
  GzipPacker packer;
  const std::string packed = packer.pack("", Then::kEnd);
  EXPECT_EQ(packed.substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(test::unpacked(packed), "");
}

}  // namespace
}  // namespace ventris::files

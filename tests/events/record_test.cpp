#include "events/record.h"

#include <gtest/gtest.h>

#include "events/records.h"

namespace ventris::events {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4U];
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) & 15U];
  }
  return text;
}

TEST(Crc32c, IsThatOfTheStandard) {  // RFC 3720, appendix B.4
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string rising;
  for (int i = 0; i < 32; ++i) rising += static_cast<char>(i);
  EXPECT_EQ(crc32c(rising), 0x46DD794EU);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
}

TEST(Record, FramesBytesAsTensorBoardReadsThem) {
  // The first bytes of any file that TensorBoard writes are this length, and the crc of it.
  EXPECT_EQ(hex(framed(std::string(24, 'x'))).substr(0, 24), "1800000000000000a37f4b22");
}

TEST(Record, StandsBehindItsLengthAndBetweenTwoChecksums) {
  const std::string bytes = framed("one") + framed("") + framed("three");
  EXPECT_EQ(test::records_of(bytes), (std::vector<std::string>{"one", "", "three"}));
  EXPECT_EQ(bytes.size(), 3 * 16 + 3 + 5U);
}

TEST(Event, IsAProtocolBufferOfTheFieldsThatReadersKnow) {
  EXPECT_EQ(hex(version_event(1)),
            "09000000000000f03f"
            "1a0d" +
                hex("brain.Event:2"));
  EXPECT_EQ(hex(start_event(1, 300)),
            "09000000000000f03f"
            "10ac02"
            "3a020801");
  EXPECT_EQ(hex(scalar_event(1, 5, {{"a", 0.5}, {"b", -2}})),
            "09000000000000f03f"
            "1005"
            "2a14"
            "0a08"
            "0a0161"
            "150000003f"
            "0a08"
            "0a0162"
            "15000000c0");
}

}  // namespace
}  // namespace ventris::events

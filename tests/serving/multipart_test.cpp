#include "serving/multipart.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::serving {
namespace {

const std::string kType = "multipart/form-data; boundary=b1";

TEST(Multipart, PartsHaveTheirNamesAndTheirBytes) {
  const auto parts = parse_multipart(
      "--b1\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nen\r\n"
      "--b1\r\ncontent-disposition: form-data; filename=\"a b.txt\"; name=file\r\nContent-Type: text/plain\r\n\r\n"
      "line\r\n--b2\r\n\r\n--b1--\r\n",
      "multipart/form-data; Boundary=\"b1\"");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name + "|" + parts[0].file_name + "|" + parts[0].content, "source||en");
  EXPECT_EQ(parts[1].name + "|" + parts[1].file_name + "|" + parts[1].content, "file|a b.txt|line\r\n--b2\r\n");
  EXPECT_TRUE(parse_multipart("--b1--", kType).empty());
}

TEST(Multipart, ATextInQuotationMarksIsOneValue) {
  const auto part = [](const std::string& disposition) {
    const auto parts = parse_multipart("--b1\r\nContent-Disposition: " + disposition + "\r\n\r\nx\r\n--b1--", kType);
    return parts.at(0).name + "|" + parts.at(0).file_name;
  };
  EXPECT_EQ(part("form-data; filename=\"a; name=x\"; name=\"file\""), "file|a; name=x");
  EXPECT_EQ(part("form-data; name=\"file\"; filename=\"a; name=x\""), "file|a; name=x");
  EXPECT_EQ(part(R"(form-data; filename="say \"hi\".txt"; name=file)"), "file|say \"hi\".txt");
  EXPECT_EQ(part("form-data ;  NAME = file ; filename=a.txt"), "file|a.txt");
  EXPECT_EQ(part("form-data; flag; name=file"), "file|");
  EXPECT_EQ(part("form-data; filename=\"name=x"), "|name=x") << "without an end";
  EXPECT_EQ(part("form-data"), "|");
}

TEST(Multipart, BodiesThatAreNotCompleteAreRefused) {
  const std::string good = "--b1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b1--";
  for (size_t size = 1; size < good.size(); ++size) {
    EXPECT_FAILS(parse_multipart(good.substr(0, size), kType), RequestError, "multipart/form-data: ");
  }
  EXPECT_FAILS(parse_multipart("--b1\r\nx\r\n--b1--", kType), RequestError, "a part has no end of its headers");
  EXPECT_FAILS(parse_multipart(good, "multipart/form-data"), RequestError, "expected a boundary of 1 to 70 characters");
  EXPECT_FAILS(parse_multipart("", kType), RequestError, "does not begin with its boundary");
}

TEST(Multipart, TheNumberOfPartsIsBounded) {
  std::string body = "--b1";
  for (size_t i = 0; i <= kMostParts; ++i) body += "\r\n\r\n\r\n\r\n--b1";
  EXPECT_FAILS(parse_multipart(body + "--", kType), RequestError, "more than 32 parts");
}

}  // namespace
}  // namespace ventris::serving

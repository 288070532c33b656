#include "serving/api_keys.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::serving {
namespace {

class ApiKeysTest : public testing::Test {
 protected:
  ApiKeys read(const std::string& text) const { return ApiKeys(folder.file("keys", text)); }

  test::TempFolder folder;
};

TEST_F(ApiKeysTest, KnowsKeysByTheirDigests) {
  const ApiKeys keys =
      read("# comment\n\nanna  " + to_hex(sha256("secret")) + "\nbert " + to_hex(sha256("other")) + "\n");
  EXPECT_TRUE(keys.required());
  EXPECT_EQ(keys.find("secret")->name, "anna");
  EXPECT_EQ(keys.find("other")->name, "bert");
  for (const char* wrong : {"", "Secret", "secret ", "secre"}) EXPECT_FALSE(keys.find(wrong));
  EXPECT_FALSE(ApiKeys().required());
}

TEST_F(ApiKeysTest, AKeyMayHaveALimitOfItsOwn) {
  const ApiKeys keys = read("anna " + to_hex(sha256("a")) + " 30\nbert " + to_hex(sha256("b")) + " 0\ncara " +
                            to_hex(sha256("c")) + "\n");
  EXPECT_EQ(keys.find("a")->requests_per_minute, 30);
  EXPECT_EQ(keys.find("b")->requests_per_minute, 0);
  EXPECT_EQ(keys.find("c")->requests_per_minute, std::nullopt);
}

TEST_F(ApiKeysTest, CapitalsInADigestMeanTheSame) {
  std::string digest = to_hex(sha256("secret"));
  for (char& c : digest) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(read("anna " + digest).find("secret")->name, "anna");
}

TEST_F(ApiKeysTest, MistakesNameTheLine) {
  const std::string digest = to_hex(sha256("secret"));
  EXPECT_FAILS(read("anna " + digest + "\nbert secret\n"), DataError, "keys:2: expected a name and the SHA-256");
  EXPECT_FAILS(read("anna " + digest.substr(1)), DataError, "keys:1: expected a name");
  EXPECT_FAILS(read("anna g" + digest.substr(1)), DataError, "keys:1: expected a name");
  EXPECT_FAILS(read("anna"), DataError, "sha256sum");
  EXPECT_FAILS(read("anna " + digest + " more"), DataError, "keys:1: expected the requests per minute of this key");
  EXPECT_FAILS(read("anna " + digest + " -1"), DataError, "found '-1'");
  EXPECT_FAILS(read("anna " + digest + " 1 more"), DataError, "keys:1: expected at most 3 columns");
  EXPECT_FAILS(read("\n"), ConfigError, "has no keys, so nobody could use the server");
  EXPECT_FAILS(ApiKeys(folder.path("none")), DataError, "none: cannot be read");
}

}  // namespace
}  // namespace ventris::serving

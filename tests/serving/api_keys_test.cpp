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
  EXPECT_EQ(keys.name_of("secret"), "anna");
  EXPECT_EQ(keys.name_of("other"), "bert");
  for (const char* wrong : {"", "Secret", "secret ", "secre"}) EXPECT_EQ(keys.name_of(wrong), std::nullopt);
  EXPECT_FALSE(ApiKeys().required());
}

TEST_F(ApiKeysTest, CapitalsInADigestMeanTheSame) {
  std::string digest = to_hex(sha256("secret"));
  for (char& c : digest) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(read("anna " + digest).name_of("secret"), "anna");
}

TEST_F(ApiKeysTest, MistakesNameTheLine) {
  const std::string digest = to_hex(sha256("secret"));
  EXPECT_FAILS(read("anna " + digest + "\nbert secret\n"), DataError, "keys:2: expected a name and the SHA-256");
  EXPECT_FAILS(read("anna " + digest.substr(1)), DataError, "keys:1: expected a name");
  EXPECT_FAILS(read("anna g" + digest.substr(1)), DataError, "keys:1: expected a name");
  EXPECT_FAILS(read("anna"), DataError, "sha256sum");
  EXPECT_FAILS(read("anna " + digest + " more"), DataError, "keys:1: expected 2 columns");
  EXPECT_FAILS(read("\n"), ConfigError, "has no keys, so nobody could use the server");
  EXPECT_FAILS(ApiKeys(folder.path("none")), DataError, "none: cannot be read");
}

}  // namespace
}  // namespace ventris::serving

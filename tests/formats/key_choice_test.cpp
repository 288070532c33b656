#include "formats/key_choice.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

TEST(KeyChoice, AKeyChoosesItsValueAndWhatIsInside) {
  const KeyChoice choice("title, home.text,a.b");
  EXPECT_TRUE(choice.has({"title"}));
  EXPECT_TRUE(choice.has({"page", "title"}));
  EXPECT_TRUE(choice.has({"title", "short"}));
  EXPECT_TRUE(choice.has({"x", "home", "text"}));
  EXPECT_FALSE(choice.has({"text"}));
  EXPECT_FALSE(choice.has({"home", "x", "text"}));
  EXPECT_FALSE(choice.has({"titles"}));
  EXPECT_TRUE(choice.has({"a.b"})) << "a key may have a point itself";
}

TEST(KeyChoice, NoKeysChooseAll) {
  EXPECT_TRUE(KeyChoice("").has({}));
  EXPECT_TRUE(KeyChoice("").has({"x"}));
  EXPECT_FALSE(KeyChoice("x").has({}));
}

TEST(IsCodeOfKey, IfTheKeyAndTheValueSaySo) {
  EXPECT_TRUE(is_code_of_key({"site", "locale"}, "en"));
  EXPECT_TRUE(is_code_of_key({"sourceLocale"}, "deu"));
  EXPECT_TRUE(is_code_of_key({"default_locale"}, "en"));
  EXPECT_FALSE(is_code_of_key({"locale"}, "English"));
  EXPECT_FALSE(is_code_of_key({"language"}, "Any"));
  EXPECT_FALSE(is_code_of_key({"title"}, "en"));
  EXPECT_FALSE(is_code_of_key({}, "en"));
  EXPECT_TRUE(is_code_of_key({"id"}, "hello_world.title"));
  EXPECT_TRUE(is_code_of_key({"id"}, "item2"));
  EXPECT_FALSE(is_code_of_key({"id"}, "identifier"));
  EXPECT_FALSE(is_code_of_key({"id"}, "Id"));
  EXPECT_FALSE(is_code_of_key({"id"}, "your id"));
  EXPECT_FALSE(is_code_of_key({"id"}, ""));
}

}  // namespace
}  // namespace ventris::formats

#include "markup/manual_elements.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

TEST(ManualElements, NamesOfDocBookAndMallardAreCode) {
  for (const std::string name : {"command", "cmd", "filename", "envar", "varname", "literal", "citerefentry"}) {
    EXPECT_TRUE(is_code_of_manual(name, "some words")) << name;
  }
  for (const std::string name : {"emphasis", "gui", "app", "Command", "em", "link", "replaceable"}) {
    EXPECT_FALSE(is_code_of_manual(name, "word")) << name;
  }
}

TEST(ManualElements, AnAmbiguousNameIsCodeByItsContent) {
  for (const std::string content : {"config.txt", "TRUE", "~/My Files/a", "a = b", "two words_of"}) {
    EXPECT_TRUE(is_code_of_manual("file", content)) << content;
    EXPECT_TRUE(is_code_of_manual("package", content)) << content;
  }
  EXPECT_FALSE(is_code_of_manual("file", "your file"));
  EXPECT_FALSE(is_code_of_manual("file", "your <b>file</b>")) << "a tag is no sign of code";
  EXPECT_FALSE(is_code_of_manual("screen", "this one, or none"));
}

TEST(ManualElements, AnOptionBeginsWithASignThatNoEntryOfAFormHas) {
  for (const std::string content : {"-a", "--all", "+x", "size=3", "no_root"}) {
    EXPECT_TRUE(is_code_of_manual("option", content)) << content;
  }
  for (const std::string content : {"Red", "", "-", "- none -", "Please choose"}) {
    EXPECT_FALSE(is_code_of_manual("option", content)) << content;
  }
}

}  // namespace
}  // namespace ventris::markup

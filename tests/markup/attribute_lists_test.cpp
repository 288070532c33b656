#include "markup/attribute_lists.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

TEST(AttributeLists, BeginWithANameAClassAColonOrAnAttribute) {
  for (const std::string list :
       {"{#a-b}", "{.c}", "{: .d #e}", "{width=50%}", "{=html}", "{-}", "{:toc}", "{data-x=1 .y}", "{#1}"}) {
    EXPECT_TRUE(is_attribute_list(list)) << list;
    EXPECT_EQ(size_of_attribute_list(list + " the dog}"), list.size()) << list;
  }
  for (const std::string text :
       {"{a}", "{}", "{#}", "{.}", "{{a}}", "{%a%}", "{#a\nb}", "{#a{b}}", "{#a", "a", "", "{"}) {
    EXPECT_EQ(size_of_attribute_list(text), 0U) << text;
  }
}

TEST(AttributeLists, BehindSpacesMustHaveAName) {
  for (const std::string list :
       {"{ .md-button }", "{ #old }", "{ width=300 }", "{ target=\"_blank\" .u }", "{ data-title='A' }"}) {
    EXPECT_TRUE(is_attribute_list(list)) << list;
  }
  for (const std::string text : {"{ .5 }", "{ = }", "{ #1 }", "{ . }", "{ a }", "{ }", "{ : }"}) {
    EXPECT_EQ(size_of_attribute_list(text), 0U) << text;
  }
}

}  // namespace
}  // namespace ventris::markup

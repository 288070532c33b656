#include "markup/markdown_events.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "markup/markup.h"
#include "support/errors.h"

namespace ventris::markup {
namespace {

TEST(MarkdownEvents, TextHasNoBackslashesAndEntities) {
  const std::vector<MarkdownEvent> events = markdown_events("\\*a &amp; b\\\\");
  std::string text;
  for (const MarkdownEvent& event : events) text += event.text;
  EXPECT_EQ(text, "*a & b\\");
}

TEST(MarkdownEvents, DeepNestingIsRefused) {
  std::string marks;
  for (int64_t i = 0; i <= kDeepestNesting; ++i) marks += "*a ";
  std::string ends;
  for (int64_t i = 0; i <= kDeepestNesting; ++i) ends += "a* ";
  EXPECT_FAILS(markdown_events("x\n\n" + marks + ends), MarkupError, "line 3: marks are nested deeper than 1000");
}

}  // namespace
}  // namespace ventris::markup

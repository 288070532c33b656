#include "markup/html_parts.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

TEST(HtmlParts, InsideAnotherDocumentHaveItsPlacesAndTheEscapesOfHtml) {
  const std::string document = "# <b>a</b> <code>c</code> {{ d }} #";
  std::string written;
  for (const Part& part : html_parts_inside(document, {2, document.size() - 2})) {
    EXPECT_EQ(part.escaping, Escaping::kHtml);
    const char kind = part.kind == Part::Kind::kText ? 'T' : part.kind == Part::Kind::kMark ? 'M' : 'H';
    written += std::string(1, kind) + document.substr(part.range.begin, part.range.end - part.range.begin) + "|";
  }
  EXPECT_EQ(written, "M<b>|Ta|M</b>|T |H<code>c</code>|T |H{{ d }}|");
}

}  // namespace
}  // namespace ventris::markup

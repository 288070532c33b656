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

/// The parts of a document, each with a letter for its kind.
std::string shown_parts(const std::string& document) {
  std::string shown;
  for (const Part& part : html_parts_inside(document, {0, document.size()})) {
    constexpr std::string_view kKinds = "TMHK";
    shown += kKinds[static_cast<size_t>(part.kind)] +
             document.substr(part.range.begin, part.range.end - part.range.begin) + "|";
  }
  return shown;
}

TEST(HtmlParts, ControlFlowOfAngularIsKept) {
  EXPECT_EQ(shown_parts("@if (a) {<b>c</b>} d"), "K@if (a) {|M<b>|Tc|M</b>|K}|T d|");
  EXPECT_EQ(shown_parts("<code>@if (a) {</code>b}"), "H<code>@if (a) {</code>|Tb}|");
}

TEST(HtmlParts, CodeOfTemplatesOnItsOwnLinesDividesTheText) {
  EXPECT_EQ(shown_parts("a\n{% raw %}\nb\n{% endraw %}\nc"), "Ta\n|K{% raw %}\nb\n{% endraw %}|T\nc|");
  EXPECT_EQ(shown_parts("a {% raw %}\nb\n{% endraw %}\nc"), "Ta |H{% raw %}\nb\n{% endraw %}|T\nc|");
}

TEST(HtmlParts, TagsOfJsxEndBehindTheirBraces) {
  EXPECT_EQ(shown_parts("<a b={() => c}>d</a>"), "M<a b={() => c}>|Td|M</a>|");
}

}  // namespace
}  // namespace ventris::markup

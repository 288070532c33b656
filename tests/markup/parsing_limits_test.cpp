#include "markup/parsing_limits.h"

#include <gtest/gtest.h>

#include "core/process.h"
#include "markup/markup.h"
#include "support/errors.h"

namespace ventris::markup {
namespace {

std::string repeated(const std::string& part, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(ParsingLimits, ADocumentWithMorePartsIsRefusedWithTheLine) {
  ParsingLimits limits("a\nb\nc", 2);
  limits.count(0);
  limits.count(2);
  EXPECT_FAILS(limits.count(4), MarkupError,
               "line 3: the document has more than 2 tags, signs and texts between them; divide it");
}

TEST(ParsingLimits, AStopSignalEndsParsing) {
  const core::StopFlag flag = 15;
  const core::StopScope scope(&flag);
  const std::string text = repeated("*a* <b>c</b>\n", 2000);
  for (const Markup markup : {Markup::kHtml, Markup::kMarkdown}) EXPECT_THROW(parse_markup(text, markup), Interrupted);
  EXPECT_THROW(parse_markup("<a>" + repeated("<b>c</b>\n", 2000) + "</a>", Markup::kXml), Interrupted);
}

}  // namespace
}  // namespace ventris::markup

#include "formats/groff_escapes.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::formats {
namespace {

using Texts = std::vector<std::string>;

Texts escapes_in(const std::string& text) {
  Texts found;
  for (const ByteRange& range : groff_escapes_in(text)) found.emplace_back(part_of(text, range));
  return found;
}

TEST(GroffEscapes, FontsAreFound) {
  EXPECT_EQ(escapes_in(R"(the \fBls\fR and \f(CWtwo words\f1 or \f[I]it\f[])"),
            (Texts{R"(\fB)", R"(\fR)", R"(\f(CW)", R"(\f1)", R"(\f[I])", R"(\f[])"}));
  EXPECT_EQ(escapes_in(R"(\m[blue]a\m[] \s-2b\s0)"), (Texts{R"(\m[blue])", R"(\m[])", R"(\s-2)", R"(\s0)"}));
}

TEST(GroffEscapes, AFontIsOnePartWithAWordThatIsNoText) {
  EXPECT_EQ(escapes_in(R"(see \fI/etc/hosts\fR, \fBa_b\fP)"), (Texts{R"(\fI/etc/hosts\fR)", R"(\fBa_b\fP)"}));
}

TEST(GroffEscapes, CharactersAndStringsAreFound) {
  EXPECT_EQ(escapes_in(R"(\(co 2024 \(lqa dog\(rq \[em] b \- c\&. \*(Aq \*[d] e \e f)"),
            (Texts{R"(\(co)", R"(\(lq)", R"(\(rq)", R"(\[em])", R"(\-)", R"(\&)", R"(\*(Aq)", R"(\*[d])", R"(\e)"}));
}

TEST(GroffEscapes, AWordWithOneInsideAndAnOptionAreWhole) {
  EXPECT_EQ(escapes_in(R"(apt\-get it\(aqs \-\-no\-color=x, \-a. e\.g\. foo\ bar)"),
            (Texts{R"(apt\-get)", R"(it\(aqs)", R"(\-\-no\-color=x)", R"(\-a)", R"(e\.g\.)", R"(foo\ bar)"}));
  EXPECT_EQ(escapes_in(R"(\fB\-\-all\fR)"), (Texts{R"(\fB)", R"(\-\-all)", R"(\fR)"}));
}

TEST(GroffEscapes, RequestsBeginALine) {
  EXPECT_EQ(escapes_in(".nh\n.SH NAME\n.\\\" a note\ntext .br"), (Texts{".nh", ".SH", ".\\\" a note"}));
}

TEST(GroffEscapes, AreThoseOfCataloguesOfManualPages) {
  for (const std::string text : {R"(msgid "see \\fBls\\fR")", R"(msgid "\\(co 2024")", "#. type: SH\nmsgid \"NAME\""}) {
    EXPECT_TRUE(is_of_manual_pages(text)) << text;
  }
  for (const std::string text : {R"(msgid "Don\\'t")", R"x(msgid "a\\-b \\(x\\)")x", R"(msgid "\fB")", ""}) {
    EXPECT_FALSE(is_of_manual_pages(text)) << text;
  }
}

TEST(GroffEscapes, HaveKinds) {
  for (const std::string text : {R"(\fB)", R"(\f(CW)", R"(\f[])", R"(\f[B])"}) EXPECT_TRUE(is_groff_font(text)) << text;
  for (const std::string text : {R"(\f)", R"(\fB x)", R"(\fx)", R"(\f()", R"(\f[)", "f", ""}) {
    EXPECT_FALSE(is_groff_font(text)) << text;
  }
  EXPECT_TRUE(is_groff_quotation_mark(R"(\(lq)") && is_groff_quotation_mark(R"(\[rq])"));
  EXPECT_FALSE(is_groff_quotation_mark(R"(\(co)") || is_groff_quotation_mark(R"(\[lqx)") ||
               is_groff_quotation_mark(""));
  EXPECT_TRUE(is_groff_request(".SH") && is_groff_request(".nh"));
  EXPECT_FALSE(is_groff_request(".NET") || is_groff_request(".") || is_groff_request("SH") || is_groff_request(""));
}

TEST(GroffEscapes, OtherTextHasNone) {
  for (const std::string text :
       {R"(a\nb\t)", R"(C:\foo\new)", R"(\(name\))", R"(\frac{a}{b})", "... and", "a. b", ".", ".NET runs",
        ".zip files", R"(\s+)", R"(\d+)", R"(\etc)", R"(\[a b])", R"(\[])", "\\", ""}) {
    EXPECT_EQ(escapes_in(text), Texts{}) << text;
  }
}

TEST(GroffEscapes, TakeATimeThatGrowsWithTheText) {
  for (const std::string part : {"\\", "\\f", "\\f[", "\\-", "a\\-", "\\[", "a", ".", ".a\n", "\\fBa"}) {
    std::string text;
    while (text.size() < 500'000) text += part;
    static_cast<void>(escapes_in(text));
  }
}

}  // namespace
}  // namespace ventris::formats

#include <gtest/gtest.h>

#include "documents/document_translator.h"
#include "support/document_run.h"

/// Documents whose parts are many, deep or alike. Each of these took minutes, gigabytes or the whole stack when its
/// parts were compared with each other, or parsed once more for each part.
namespace ventris::documents {
namespace {

std::string repeated(const std::string& part, size_t bytes, const std::string& begin = "",
                     const std::string& end = "") {
  std::string text = begin;
  while (text.size() < bytes) text += part;
  return text + end;
}

Answer answer_to(const std::string& text, Markup markup, const std::string& placeholders = "", bool split = false) {
  DocumentOptions options;
  options.markup = markup;
  options.placeholders = placeholders;
  options.split_sentences = split;
  return test::translate_documents({text}, options, test::copy_table(test::info_of(test::copying_package()).vocab))
      .front();
}

TEST(HostileDocuments, SignsOfObjectsInTheTextAreCharacters) {
  for (const std::string text : {"\uFFFC\uFFFC", "a \uFFFC b \uFFFC", "\uFFFC{0}\uFFFC", "bread\uFFFC\uFFFCbread"}) {
    for (const Markup markup : {Markup::kNone, Markup::kHtml, Markup::kMarkdown}) {
      for (const std::string placeholders : {"", "builtin"}) {
        const std::string result = answer_to(text, markup, placeholders).translation.text();
        EXPECT_EQ(test::count_of(result, "\uFFFC"), test::count_of(text, "\uFFFC")) << text << " became " << result;
      }
    }
  }
}

TEST(HostileDocuments, AWordOf5000LettersBeforeAnAtSignIsTranslated) {
  EXPECT_EQ(answer_to(repeated("a", 5000, "", "@ bread"), Markup::kNone).segments, 1);
  EXPECT_EQ(answer_to(repeated("bread ", 1'000'000, "", "me@x.org"), Markup::kHtml).segments, 1);
}

TEST(HostileDocuments, ManyTagsInABlockComeBack) {
  for (const std::string part : {"<b>a</b>", "<b>bread</b> ", "<b><i>a</i></b> ", "<br>a", "<img>"}) {
    const std::string page = repeated(part, 200'000, "<p>Nobody sees ");
    const std::string result = answer_to(page, Markup::kHtml).translation.text(), tag = part.substr(0, 3);
    EXPECT_EQ(test::count_of(result, tag), test::count_of(page, tag)) << part;
  }
}

TEST(HostileDocuments, ManyPlaceholdersInALineComeBack) {
  const std::string line = repeated("{0} ", 320'000, "bread ");
  EXPECT_EQ(test::count_of(answer_to(line, Markup::kNone, "builtin").translation.text(), "{0}"),
            test::count_of(line, "{0}"));
  EXPECT_EQ(
      test::count_of(answer_to(repeated("<p>{0}</p>", 400'000), Markup::kHtml, "builtin").translation.text(), "{0}"),
      40'000U);
}

TEST(HostileDocuments, ManySignsOfCodeAndColumnsInALineAreRead) {
  for (const std::string part : {"`", "` ", "<code>", "<code>a", "[a b=\"", "\t", "   A", "bread   A\t", "[b] [/b]",
                                 "https://{{ a }}/", "{a}/b/{c}/", "x\u200C "}) {
    const std::string line = repeated(part, 200'000, "bread ");
    EXPECT_FALSE(answer_to(line, Markup::kNone, "builtin").translation.text().empty()) << part;
  }
}

TEST(HostileDocuments, ManySignsOfMarkdownComeBack) {
  const std::string many = repeated("[bread] ", 400'000, "", "\n\n[bread]: /u\n");
  const std::string some = repeated("[bread] ", 40'000, "", "\n\n[bread]: /u\n");  // sentences in parts need longer
  const auto refs = answer_to(some, Markup::kMarkdown, "", true);
  EXPECT_EQ(test::count_of(refs.translation.text(), "][bread]"), 5'000U);
  const std::string cut = answer_to(many, Markup::kMarkdown).translation.text();  // with few words
  EXPECT_EQ(test::count_of(cut, "][bread]"), test::count_of(cut, "[bread][bread]"));
  EXPECT_GT(test::count_of(cut, "][bread]"), 0U);
  const std::string addresses = repeated("http://a.b ", 400'000, "bread ");
  EXPECT_EQ(test::count_of(answer_to(addresses, Markup::kMarkdown).translation.text(), "http"),
            test::count_of(addresses, "http"));
  for (const std::string part : {"*a* ", "`a` ", "**a *b ", "![](u)", "<b>a</b>"}) {
    EXPECT_GT(answer_to(repeated(part, 200'000, "bread "), Markup::kMarkdown).segments, 0) << part;
  }
}

TEST(HostileDocuments, ExtensionsOfMarkdownThatNeverEndAreText) {
  for (const std::string part : {"+", "++a ", "[", "\\begin{a} ", "{", "<A.b c={", "$(", "^", "\\ref{"}) {
    EXPECT_GE(answer_to(repeated(part, 200'000, "bread "), Markup::kMarkdown).segments, 0) << part;
  }
  std::string environments, brackets;
  for (int i = 0; i < 4000; ++i) environments += "\\begin{a" + std::to_string(i) + "}\n\n";
  EXPECT_GE(answer_to(environments, Markup::kMarkdown).segments, 0);
  for (int i = 0; i < 50'000; ++i) brackets += "[";
  brackets += "bread";
  for (int i = 0; i < 50'000; ++i) brackets += "]{.a}";
  EXPECT_GE(answer_to(brackets + "\n\n[bread]: /u\n", Markup::kMarkdown).segments, 0);
  EXPECT_GE(answer_to(repeated("\\begin{a} ", 200'000, "", repeated("\\end{b} " + std::string(2000, 'x'), 100'000)),
                      Markup::kMarkdown)
                .segments,
            0);
}

TEST(HostileDocuments, ManySignsThatEndNothingAreReadInLinearTime) {
  std::string backticks, rows = std::string(100'000, ' ') + "---  ---\n";
  for (size_t size = 1; size < 400; ++size) backticks += std::string(size, '`') + " ~a ";
  for (int i = 0; i < 50'000; ++i) rows += "a\n";
  for (const std::string& text : {backticks, rows, repeated("~a ", 60'000), repeated("(~a~", 60'000)}) {
    EXPECT_GE(answer_to(text, Markup::kMarkdown).segments, 0);
  }
  for (const std::string part : {"[code]", "[/code", "[code a", "</span><span>a", "a@b.c:", ":xa@b!", "[b c"}) {
    EXPECT_GE(answer_to(repeated(part, 60'000, "<span>bread"), Markup::kHtml).segments, 0) << part;
  }
}

TEST(HostileDocuments, TagsThatNeverEndNeedLittleMemory) {
  for (const std::string part :
       {"<div></x>", "<span title=\"</a>\">", "<template></x>", "<", "<b id=x><p>", "<!--a-->"}) {
    EXPECT_GE(answer_to(repeated(part, 400'000, "", "bread"), Markup::kHtml).segments, 0) << part;
  }
  EXPECT_EQ(answer_to(repeated("<col>", 200'000, "<svg>", "<p>bread"), Markup::kHtml).segments, 1);
}

TEST(HostileDocuments, ABlockOfManySentencesIsNotCopiedForEach) {
  const std::string text = repeated("Nobody. ", 200'000, "<p>", "</p>");
  EXPECT_EQ(answer_to(text, Markup::kHtml, "", true).translation.text(), text);
}

}  // namespace
}  // namespace ventris::documents

#include "formats/po.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/written_format.h"

namespace ventris::formats {
namespace {

using markup::Markup;
using Texts = std::vector<std::string>;

const std::string kHeader =
    "# Header\nmsgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
    "\"Plural-Forms: nplurals=2; plural=n != 1;\\n\"\n\n";

std::string marked(const std::string& text) { return "<" + text + ">"; }

std::string po(const std::string& entries, bool fuzzy = true, const std::string& header = kHeader) {
  const std::string written = test::written_format(header + entries, Markup::kPo, marked, {.fuzzy = fuzzy});
  EXPECT_EQ(written.substr(0, header.size()), header);
  return written.substr(std::min(header.size(), written.size()));
}

TEST(Po, OnlyEntriesWithoutATranslationGetOne) {
  const std::string kept =
      "msgid \"a\"\nmsgstr \"b\"\n\n#, fuzzy\nmsgid \"c\"\nmsgstr \"d\"\n\n#~ msgid \"e\"\n#~ msgstr \"\"\n";
  EXPECT_EQ(po(kept), kept);
  EXPECT_EQ(po("msgid \"a\"\nmsgstr \"\"\n\n" + kept, false), "msgid \"a\"\nmsgstr \"<a>\"\n\n" + kept);
  const std::string half = "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"c\"\nmsgstr[1] \"\"\n";
  EXPECT_EQ(po(half), half);
  EXPECT_EQ(po(""), "");
}

TEST(Po, TranslationsAreFlaggedAsFuzzy) {
  EXPECT_EQ(po("#: a.c:1\nmsgctxt \"x\"\nmsgid \"a\"\nmsgstr \"\""),
            "#: a.c:1\n#, fuzzy\nmsgctxt \"x\"\nmsgid \"a\"\nmsgstr \"<a>\"");
  EXPECT_EQ(po("#, c-format\nmsgid \"a\"\nmsgstr \"\""), "#, fuzzy, c-format\nmsgid \"a\"\nmsgstr \"<a>\"");
  EXPECT_EQ(po("#, fuzzy\nmsgid \"a\"\nmsgstr \"\""), "#, fuzzy\nmsgid \"a\"\nmsgstr \"<a>\"");
}

TEST(Po, LineEndsAndSpacesOfMessagesStay) {
  EXPECT_EQ(po("msgid \"\"\n\"  a\\n\"\n\"\\n\"\n\"b\\n\"\nmsgstr \"\"", false),
            "msgid \"\"\n\"  a\\n\"\n\"\\n\"\n\"b\\n\"\nmsgstr \"\"\n\"  <a>\\n\"\n\"\\n\"\n\"<b>\\n\"");
  EXPECT_EQ(test::written_format("msgid \"a\\nb\"\r\nmsgstr \"\"\r\n", Markup::kPo, marked),
            "#, fuzzy\r\nmsgid \"a\\nb\"\r\nmsgstr \"\"\r\n\"<a>\\n\"\r\n\"<b>\"\r\n");
}

TEST(Po, EachFormOfAPluralIsTranslated) {
  const std::string entry = "msgid \"one\"\nmsgid_plural \"%d many\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
  EXPECT_EQ(po(entry, false),
            "msgid \"one\"\nmsgid_plural \"%d many\"\nmsgstr[0] \"<one>\"\nmsgstr[1] \"<%d many>\"\n");
  const auto with_forms = [](const std::string& forms) {
    return "msgid \"\"\nmsgstr \"Plural-Forms: " + forms + "\\n\"\n\n";
  };
  EXPECT_EQ(po("msgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] \"\"\n", false, with_forms("nplurals=1; plural=0;")),
            "msgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] \"<many>\"\n");
  EXPECT_EQ(po("msgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] \"\"\n", false,
               with_forms("nplurals=3; plural=n==0 ? 0 : n==1 ? 1 : 2;")),
            "msgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] \"<many>\"\nmsgstr[1] \"<one>\"\nmsgstr[2] \"<many>\"\n");
  EXPECT_EQ(po(entry, false, with_forms("nplurals=2; plural=n>1;")),
            "msgid \"one\"\nmsgid_plural \"%d many\"\nmsgstr[0] \"<%d many>\"\nmsgstr[1] \"<%d many>\"\n")
      << "its first form is also that of 0";
}

TEST(Po, ConversionsInAnotherOrderGetNumbers) {
  const auto swap = [](const std::string& text) { return text == "%s has %d" ? "%d %s" : text; };
  const std::string of_c = "#, c-format\nmsgid \"%s has %d\"\nmsgstr ",
                    of_python = "#, python-format\nmsgid \"%s has %d\"\nmsgstr ";
  const FormatOptions options{.fuzzy = false};
  EXPECT_EQ(test::written_format(of_c + "\"\"", Markup::kPo, swap, options), of_c + "\"%2$d %1$s\"");
  EXPECT_EQ(test::written_format(of_python + "\"\"", Markup::kPo, swap, options), of_python + "\"\"")
      << "Python has no numbers";
}

TEST(Po, AnotherEncodingIsNamed) {
  EXPECT_FAILS(read_document("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n", Markup::kPo),
               markup::MarkupError, "line 1: the header declares the encoding ISO-8859-1, expected UTF-8");
  read_document("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=CHARSET\\n\"\n", Markup::kPo);
}

TEST(Po, GettextFindsNoErrorInWhatIsWritten) {
  if (std::system("msgfmt --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "gettext is not installed";
  const test::TempFolder folder;
  const auto reverse = [](const std::string& text) {
    std::string words;
    for (size_t end = text.size(); end != std::string::npos;) {
      const size_t space = text.substr(0, end).rfind(' ');
      words += text.substr(space + 1, end - space - 1) + " ";
      end = space;
    }
    return words.substr(0, words.size() - 1);
  };
  const std::string written = test::written_format(
      kHeader +
          "#, c-format\nmsgid \"%s: cannot open %d files\\n\"\nmsgstr \"\"\n\n"
          "#, c-format\nmsgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n"
          "#, python-brace-format\nmsgid \"Hello {name}, \\\"you\\\"\"\nmsgstr \"\"\n",
      Markup::kPo, reverse, {.fuzzy = false});
  const std::string file = folder.file("a.po", written);
  EXPECT_EQ(std::system(("msgfmt --check-format --check-domain -o /dev/null '" + file + "'").c_str()), 0) << written;
}

TEST(Po, BracesInAnotherOrderGetNumbersWhereTheFlagSaysSo) {
  const auto turned = [](const std::string& text) { return text == "{} a {:d}" ? "{:d} b {}" : text; };
  const std::string flags = "#, python-brace-format\nmsgid \"{} a {:d}\"\nmsgstr \"\"\n";
  EXPECT_NE(test::written_format(flags, Markup::kPo, turned).find("msgstr \"{1:d} b {0}\""), std::string::npos);
}

TEST(Po, ConversionsOfPrintfCountOnlyWhereTheFlagMeansThem) {
  const auto turned = [](const std::string&) { return std::string("%d b %s"); };
  const auto written = [&](const std::string& flag) {
    return test::written_format("#, " + flag + "\nmsgid \"%s a %d\"\nmsgstr \"\"\n", Markup::kPo, turned);
  };
  EXPECT_NE(written("csharp-format").find("msgstr \"%d b %s\""), std::string::npos);
  EXPECT_NE(written("perl-format").find("msgstr \"%2$d b %1$s\""), std::string::npos);
  EXPECT_NE(written("python-format").find("msgstr \"\""), std::string::npos);
}

TEST(Po, DirectivesWithoutNumbersStayInTheirOrder) {
  const auto written = [](const std::string& flag, const std::string& source, const std::string& translation) {
    const auto translated = [&](const std::string&) { return translation; };
    const std::string file = test::written_format("#, " + flag + "\nmsgid \"" + source + "\"\nmsgstr \"\"\n",
                                                  Markup::kPo, translated, {.fuzzy = false});
    return file.substr(file.find("msgstr"));
  };
  EXPECT_EQ(written("lisp-format", "~A has ~D", "~A hat ~D"), "msgstr \"~A hat ~D\"\n");
  EXPECT_EQ(written("lisp-format", "~A has ~D", "~D hat ~A"), "msgstr \"\"\n");
  EXPECT_EQ(written("scheme-format", "~a has ~s", "~s hat ~a"), "msgstr \"\"\n");
  EXPECT_EQ(written("boost-format", "%1% has %2%", "%2% hat %1%"), "msgstr \"%2% hat %1%\"\n");
  EXPECT_EQ(written("boost-format", "%s has %d", "%d hat %s"), "msgstr \"\"\n");
  EXPECT_EQ(written("boost-format", "%1% files", "%1% Dateien"), "msgstr \"%1% Dateien\"\n") << "no \"% f\"";
  EXPECT_EQ(written("boost-format", "%%1%d files", "%%1%s files"), "msgstr \"\"\n") << "%d behind a percent sign";
  EXPECT_EQ(written("boost-format", "%1% %d files", "%1% %s Dateien"), "msgstr \"\"\n");
}

TEST(Po, EntriesThatStayWithoutATranslationAreReported) {
  const markup::MarkedDocument document =
      read_document("#, python-format\nmsgid \"%s a %d\"\nmsgstr \"\"\n\nmsgid \"c\"\nmsgstr \"\"\n", Markup::kPo);
  EXPECT_EQ(document.writer->lines_left({"%d b %s", "d"}), std::vector<int64_t>{2});
  EXPECT_TRUE(document.writer->lines_left({"%s b %d", "d"}).empty());
}

}  // namespace
}  // namespace ventris::formats

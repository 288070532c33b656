#include "filters/translate_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/resources.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

namespace ventris::filters {
namespace {

class TranslateFile : public testing::Test {
 protected:
  void SetUp() override { settings.output = folder.path("out"); }

  translation::TranslationCounts translate(const std::string& input) {
    settings.input = folder.file("in", input);
    return translate_file(settings, package, [&] { return test::copy_factory(package); });
  }
  std::string output() const { return test::file_bytes(folder.path("out")); }

  test::TempFolder folder;
  model::Package package = test::copying_package();
  TranslateSettings settings;
};

TEST_F(TranslateFile, WritesALineForEachLine) {
  const auto counts = translate("The driver likes bread.\n\nNobody sees bread.");
  EXPECT_EQ(output(), "The driver likes bread.\n\nNobody sees bread.\n");
  EXPECT_EQ(counts.lines, 3);
  EXPECT_EQ(counts.empty, 1);
}

TEST_F(TranslateFile, WhatNobodySeesIsNoTextAndNoSentence) {
  testing::internal::CaptureStderr();
  const auto counts = translate("\u200b\n\nNobody. \u200b\n");
  EXPECT_EQ(counts.empty, 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::Not(testing::HasSubstr("several")));
}

TEST_F(TranslateFile, NothingInNothingOut) {
  EXPECT_EQ(translate("").lines, 0);
  EXPECT_EQ(output(), "");
  EXPECT_TRUE(std::filesystem::exists(folder.path("out")));
}

TEST_F(TranslateFile, NBestListsCountLinesFromZero) {
  settings.written.format = OutputFormat::kMoses;
  translate("bread\n\nNobody\n");
  EXPECT_THAT(output(), testing::MatchesRegex("0 \\|\\|\\| bread \\|\\|\\| F0= -[0-9.]+ \\|\\|\\| -[0-9.]+\n"
                                              "1 \\|\\|\\|  \\|\\|\\| F0= 0.000000 \\|\\|\\| 0.000000\n"
                                              "2 \\|\\|\\| Nobody .*\n"));
}

TEST_F(TranslateFile, WarningsNameTheFirstLine) {
  testing::internal::CaptureStderr();
  translate("Nobody sees bread.\nNobody.\n\nNobody sees \u4f60\u597d.\nNobody. Nobody.\n");
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, testing::HasSubstr("1 line has letters of a writing system that the tokenizer of the model does not "
                                      "know (line 4)"));
  EXPECT_THAT(log, testing::HasSubstr("1 line has several sentences, of which the model may translate only one; add "
                                      "--split-sentences (line 5)"));
  settings.document.guards = false;
  testing::internal::CaptureStderr();
  translate("Nobody. Nobody.\n");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::Not(testing::HasSubstr("several")));
}

TEST_F(TranslateFile, SentencesOfALineAreTranslatedAlone) {
  settings.document.split_sentences = true;
  const std::string input = "  Nobody sees bread.  The driver likes bread. \n\n\tNobody.\n";
  EXPECT_EQ(translate(input).lines, 3);
  EXPECT_EQ(output(), input);
  settings.written.format = OutputFormat::kJsonl;
  settings.written.segments = true;
  translate("Nobody. Nobody.\n");
  EXPECT_THAT(output(), testing::HasSubstr("\"sentences\":2,\"warnings\":[]"));
}

TEST_F(TranslateFile, ADocumentIsOneText) {
  settings.document.markup = markup::Markup::kHtml;
  const std::string input = "<ul>\n <li><b>Nobody</b> sees bread</li>\n\n</ul>\n";
  EXPECT_EQ(translate(input).lines, 1);
  EXPECT_EQ(output(), input);
  EXPECT_EQ(translate("").lines, 0);
  const std::string long_line = "<p>bread</p>" + std::string(2 << 20, ' ') + "<p>bread</p>\n";
  translate(long_line);
  EXPECT_EQ(output(), long_line);
  settings.document.markup = markup::Markup::kMarkdown;
  translate("# Nobody\n\n* sees **bread**\n");
  EXPECT_EQ(output(), "# Nobody\n\n* sees **bread**\n");
  settings.document.markup = markup::Markup::kXml;
  EXPECT_FAILS(translate("<a>\n<b></a>\n"), DataError, folder.path("in") + ": line 2: not well-formed XML");
  settings.input_format = InputFormat::kJsonl;
  EXPECT_FAILS(translate("{\"text\": \"<a>b</a>\"}\n{\"text\": \"<a>\"}\n"), DataError,
               folder.path("in") + ":2: line 1: not well-formed XML");
}

TEST_F(TranslateFile, AJsonLineWithoutALanguageIsNamed) {
  const std::string piece = text::Tokenizer(package.source_spm, "tiny").piece(9);
  package.config.tokenizer.languages = {{"x", {.to_prefix = {piece}}}, {"y", {.to_prefix = {piece}}}};
  EXPECT_FAILS(translate("bread\n"), ConfigError, "target_language: this model must be told one of x, y");
  settings.input_format = InputFormat::kJsonl;
  EXPECT_FAILS(translate("{\"text\": \"bread\", \"target_language\": \"x\"}\n{\"text\": \"bread\"}\n"), DataError,
               folder.path("in") + ":2: target_language: this model must be told one of x, y; give it here");
}

TEST_F(TranslateFile, WarningsAboutADocumentNameItsLineOrThatOfItsJson) {
  settings.document.markup = markup::Markup::kMarkdown;
  testing::internal::CaptureStderr();
  translate("# Nobody\n\nNobody. Nobody.\n");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("add --split-sentences (line 3)"));
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kJsonl;
  testing::internal::CaptureStderr();
  translate("{\"text\": \"bread\"}\n{\"text\": \"# Nobody\\n\\nNobody. Nobody.\"}\n");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("add --split-sentences (line 2)"));
}

TEST_F(TranslateFile, LinesThatTheWorkspaceCutsNameItsSetting) {
  settings.translator.workspace = 40;
  settings.translator.search.beam_size = 2;
  settings.input =
      folder.file("in", "bread\nSome workers never painted two wooden boats, and the driver likes bread.\n");
  testing::internal::CaptureStderr();
  translate_file(settings, package, [&] { return test::large_factory(package); });
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("1 line had more tokens than allowed and was cut (first: line 2); the workspace has "
                                 "room for 17 tokens, a larger --workspace for more"));
}

TEST_F(TranslateFile, ADocumentKeepsTheLineEndsOfMostOfItsLines) {
  settings.document.markup = markup::Markup::kMarkdown;
  translate("# Nobody\r\n\r\n- bread\r\n");
  EXPECT_EQ(output(), "# Nobody\r\n\r\n- bread\r\n");
  translate("# Nobody\r\n\n\n- bread\n");
  EXPECT_EQ(output(), "# Nobody\n\n\n- bread\n");
  settings.document.markup = markup::Markup::kHtml;
  translate("<p>Nobody</p>\r\n<p>bread</p>");
  EXPECT_EQ(output(), "<p>Nobody</p>\r\n<p>bread</p>\r\n");
  translate("\uFEFF<html><!-- \u00FC --><p>Nobody</p>");
  EXPECT_EQ(output(), "\uFEFF<html><!-- \u00FC --><p>Nobody</p>\n") << "without its mark, it would not be UTF-8";
  translate("\uFEFF<html><p>Nobody</p>");
  EXPECT_EQ(output(), "<html><p>Nobody</p>\n");
  settings.written.format = OutputFormat::kJsonl;
  translate("<p>Nobody</p>\r\n<p>bread</p>\r\n");
  EXPECT_EQ(output().find("\\r"), std::string::npos) << "in JSON, a line end is one character";
}

TEST_F(TranslateFile, ADocumentInAJsonLineKeepsItsLines) {
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kJsonl;
  settings.document.markup = markup::Markup::kMarkdown;
  translate("{\"text\": \"# Nobody\\r\\n\\n- bread\\n\"}\n");
  EXPECT_THAT(output(), testing::HasSubstr("\"translation\":\"# Nobody\\n\\n- bread\\n\""));
  settings.written.format = OutputFormat::kText;
  translate("{\"text\": \"Nobody\\nsees\"}\n");
  EXPECT_EQ(output(), "Nobody sees\n");
}

TEST_F(TranslateFile, ATextInAJsonLineKeepsItsLinesIfItIsSplit) {
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kJsonl;
  settings.document.split_sentences = true;
  translate("{\"text\": \"Nobody\\n\\nbread\"}\n");
  EXPECT_THAT(output(), testing::HasSubstr("\"translation\":\"Nobody\\n\\nbread\""));
  settings.document.split_sentences = false;
  translate("{\"text\": \"Nobody\\nbread\"}\n");
  EXPECT_THAT(output(), testing::HasSubstr("\"translation\":\"Nobody bread\""));
}

TEST_F(TranslateFile, ObjectsComeBackWithTheirTranslations) {
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kJsonl;
  settings.translator.window_lines = 2;
  translate("{\"id\": 7, \"text\": \"bread\"}\n{\"text\": \"\"}\n{\"text\": \"Nobody\", \"x\": [1.0]}\n");
  EXPECT_THAT(output(), testing::MatchesRegex(R"(\{"id": 7,"text": "bread","translation":"bread",.*\}
\{"text": "","id":1,"translation":"",.*\}
\{"text": "Nobody","x": \[1.0\],"id":2,"translation":"Nobody",.*\}
)"));
  settings.written.format = OutputFormat::kText;
  translate("{\"text\": \"bread\"}\n");
  EXPECT_EQ(output(), "bread\n");
}

TEST_F(TranslateFile, ATextThatWasCutSaysSo) {
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kJsonl;
  testing::internal::CaptureStderr();
  translate("{\"text\": \"bread\"}\n{\"text\": \"" + std::string(1 << 20, ' ') + "bread\"}\n");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("in: 1 of 2 texts are over 1 MiB (the first is in line 2) and were cut"));
  EXPECT_NE(output().find("\"source_cut\":false"), std::string::npos);
  EXPECT_NE(output().find("\"source_cut\":true"), std::string::npos);
}

TEST_F(TranslateFile, ALineWhoseSentencesAreSplitIsNotCut) {
  const std::string line = "Nobody sees bread." + std::string(1 << 20, ' ') + "Nobody sees it.";
  settings.document.split_sentences = true;
  settings.strict = true;
  translate(line + "\nbread\n");
  EXPECT_EQ(output(), line + "\nbread\n");
  settings.input_format = InputFormat::kJsonl;
  translate("{\"text\": \"" + line + "\"}\n");
  EXPECT_EQ(output(), line + "\n");
}

TEST_F(TranslateFile, StrictMakesTextThatWasLostAnErrorBehindTheWholeOutput) {
  settings.strict = true;
  const std::string longest(1 << 20, ' ');
  EXPECT_FAILS(translate("bread\n" + longest + "bread\nNobody\n"), DataError, "in: over 1 MiB, cut (line 2)");
  EXPECT_EQ(std::ranges::count(output(), '\n'), 3);
  EXPECT_FALSE(std::filesystem::exists(settings.output + ".partial"));
  EXPECT_NO_THROW(translate("bread\nNobody\n"));
  settings.translator.max_source_length = 8;
  EXPECT_FAILS(translate("bread\nThe driver likes bread, and nobody sees it.\n"), DataError,
               "more tokens than allowed, cut (line 2)");
  EXPECT_EQ(std::ranges::count(output(), '\n'), 2);
  settings.strict = false;
  EXPECT_EQ(translate("bread\nThe driver likes bread, and nobody sees it.\n").source_cut, 1);
}

TEST_F(TranslateFile, StrictKnowsTranslationsThatWereCutAndTheLinesOfADocument) {
  settings.strict = true;
  settings.document.markup = markup::Markup::kHtml;
  settings.translator.max_source_length = 8;
  EXPECT_FAILS(translate("<p>bread</p>\n\n<p>The driver likes bread, and nobody sees it.</p>\n"), DataError,
               "more tokens than allowed, cut (line 3)");
  settings.document.markup = markup::Markup::kNone;
  settings.input_format = InputFormat::kJsonl;
  settings.translator.max_source_length = 0;
  EXPECT_FAILS(translate("{\"text\": \"" + std::string(1 << 20, ' ') + "bread\"}\n"), DataError,
               "in: a text over 1 MiB, cut (line 1)");
}

TEST_F(TranslateFile, StrictKnowsCharactersThatWereReplaced) {
  settings.strict = true;
  settings.document.markup = markup::Markup::kHtml;
  EXPECT_FAILS(translate("<meta charset=shift_jis>\n<p>bread \x93</p>\n<p>\x93\xFA</p>\n"), DataError,
               "bytes that the encoding does not have, which became U+FFFD (line 2)");
  EXPECT_EQ(std::ranges::count(output(), '\n'), 3);
  settings.document.markup = markup::Markup::kNone;
  settings.input_format = InputFormat::kJsonl;
  EXPECT_FAILS(translate("{\"text\": \"bread\"}\n{\"text\": \"bread \\ud800\"}\n"), DataError,
               "in: half a surrogate pair, which became U+FFFD (line 2)");
  settings.strict = false;
  EXPECT_NO_THROW(translate("{\"text\": \"bread \\ud800\"}\n"));
}

TEST_F(TranslateFile, PhrasesThatAreNotAsWishedNameTheirLines) {
  settings.input_format = InputFormat::kJsonl;
  settings.constraints = true;
  settings.translator.search.beam_size = 4;
  testing::internal::CaptureStderr();
  translate(
      "{\"text\": \"Nobody sees bread.\", \"constraints\": [\"umbrella\"], \"forbidden\": [\"bread\"]}\n"
      "{\"text\": \"bread\", \"constraints\": [\"\u4f60\"]}\n");
  EXPECT_THAT(output(), testing::HasSubstr("umbrella"));
  EXPECT_THAT(output(), testing::EndsWith("\nbread\n"));
  EXPECT_EQ(output().find("bread"), output().rfind("bread"));
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log,
              testing::HasSubstr("line 2: '\u4f60' is not in the translation, because the tokenizer does not know"));
  EXPECT_THAT(log, testing::Not(testing::HasSubstr("line 1")));
  EXPECT_FAILS(translate("{\"text\": \"a\"}\n{\"text\": \"a\", \"forbidden\": \"b\"}\n"), DataError,
               folder.path("in") + ":2: expected a list of texts under \"forbidden\"");
}

/// Texts in JSON lines, between blank lines.
class BlankLines : public TranslateFile {
 protected:
  void SetUp() override {
    TranslateFile::SetUp();
    settings.input_format = InputFormat::kJsonl;
  }
  /// What the log says about texts in lines 4, 6 and 7.
  std::string log_of(const std::string& first, const std::string& second, const std::string& third) {
    testing::internal::CaptureStderr();
    translate("\n \n\n" + first + "\n\n" + second + "\n" + third + "\n");
    return testing::internal::GetCapturedStderr();
  }
  const std::string bread = R"({"text": "bread"})";
};

TEST_F(BlankLines, CountInTheNumbersOfLinesInWarnings) {
  settings.constraints = true;
  settings.translator.search.beam_size = 4;
  settings.translator.max_source_length = 8;
  const std::string log = log_of(bread, R"({"text": "The driver likes bread, and nobody sees it."})",
                                 "{\"text\": \"Nobody. Nobody.\", \"constraints\": [\"\u4f60\"]}");
  EXPECT_THAT(log, testing::HasSubstr("2 lines had more tokens than allowed and were cut (first: line 6)"));
  EXPECT_THAT(log, testing::HasSubstr("add --split-sentences (line 7)"));
  EXPECT_THAT(log, testing::HasSubstr("line 7: '\u4f60' is not in the translation"));
}

TEST_F(BlankLines, CountInTheNumbersOfLinesOfWhatWasLost) {
  settings.strict = true;
  settings.translator.max_source_length = 8;
  EXPECT_FAILS(log_of(bread, R"({"text": "The driver likes bread, and nobody sees it."})", R"({"text": "\ud800"})"),
               DataError,
               "half a surrogate pair, which became U+FFFD (line 7); more tokens than allowed, cut (line 6)");
  testing::internal::GetCapturedStderr();
  settings.strict = false;
  settings.translator.max_source_length = 0;
  EXPECT_THAT(log_of(bread, "{\"text\": \"" + std::string(1 << 20, ' ') + "bread\"}", bread),
              testing::HasSubstr("in: 1 of 3 texts are over 1 MiB (the first is in line 6) and were cut"));
}

TEST_F(BlankLines, CountInTheNumbersOfLinesOfAShard) {
  settings.shard = "2/2";
  testing::internal::CaptureStderr();
  translate("\n" + bread + "\n\n" + bread + "\n\n{\"text\": \"Nobody. Nobody.\"}\n");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("add --split-sentences (line 6)"));
}

TEST_F(BlankLines, HaveNeitherAPrefixNorANumber) {
  settings.written.format = OutputFormat::kJsonl;
  settings.force_prefix = folder.file("prefixes", "My\n\nNobody\n");
  log_of(bread, bread, bread);
  EXPECT_THAT(output(), testing::MatchesRegex("[^\n]*\"id\":0,\"translation\":\"My.*\n.*\"id\":1.*\n.*\"id\":2.*\n"));
  settings.force_prefix = folder.file("prefixes", "My\n\n");
  EXPECT_FAILS(
      log_of(bread, bread, bread), DataError,
      "in has 3 texts so far, " + settings.force_prefix + " 2 lines; force_prefix needs one line for each text");
  testing::internal::GetCapturedStderr();
  settings.force_prefix = folder.file("prefixes", "My\n\n\n\n");
  EXPECT_FAILS(log_of(bread, bread, bread), DataError, "in has 3 texts so far, " + settings.force_prefix + " 4 lines");
  testing::internal::GetCapturedStderr();
}

TEST_F(TranslateFile, TermsOfEachSentenceAreRequired) {
  settings.terms = folder.file("terms", "bread\tumbrella\nsister\t\u4f60\n");
  settings.translator.search.beam_size = 4;
  settings.document.split_sentences = true;
  std::string input = "Nobody sees bread. My sister.\n";
  for (int i = 0; i < 24; ++i) input += "sister\n";
  testing::internal::CaptureStderr();
  translate(input);
  EXPECT_THAT(output(), testing::MatchesRegex("[^\n]*umbrella[^\n]*My sister\\.\n(sister\n)+"));
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, testing::HasSubstr("line 1: '\u4f60' is not in the translation"));
  EXPECT_THAT(log, testing::HasSubstr("line 20: "));
  EXPECT_THAT(log, testing::Not(testing::HasSubstr("line 21: ")));
  EXPECT_THAT(log, testing::HasSubstr("5 more phrases are not as wished; --format jsonl names all under \"unmet\""));
}

TEST_F(TranslateFile, TermsThatAreNoneAreNamedBeforeTheModelIsLoaded) {
  settings.terms = folder.file("terms", "bread\n");
  EXPECT_FAILS(translate_file(settings, package, []() -> std::shared_ptr<decoding::ScorerFactory> { throw 1; }),
               DataError, "terms:1");
}

TEST_F(TranslateFile, ALineThatIsNoObjectNamesItsFileAndLine) {
  settings.input_format = InputFormat::kJsonl;
  EXPECT_FAILS(translate("{\"text\": \"bread\"}\nbread\n"), DataError, folder.path("in") + ":2: not valid JSON");
}

TEST_F(TranslateFile, InvalidBytesAreReplacedOrRefused) {
  EXPECT_EQ(translate("bread\n\xff\xfe\nNobody\n").lines, 3);
  settings.strict = true;
  EXPECT_FAILS(translate("bread\n\xff\xfe\nNobody\n"), DataError, ":2");
}

TEST_F(TranslateFile, AFailureLeavesTheOldOutputAlone) {
  translate("bread\n");
  settings.strict = true;
  EXPECT_THROW(translate("Nobody\n\xff\n"), DataError);
  EXPECT_EQ(output(), "bread\n");
}

TEST_F(TranslateFile, AnExpressionThatTakesTooLongIsNamedWithTheLineOfTheText) {
  settings.document.placeholders = folder.file("slow", "/(a+)+b/\n");
  const std::string slow(200, 'a');
  EXPECT_FAILS(translate("bread\n" + slow + "\nbread\n"), DataError, "in:2: placeholders: /(a+)+b/ takes too long");
  settings.document.markup = markup::Markup::kHtml;
  EXPECT_FAILS(translate("<p>bread</p>\n\n<p>" + slow + "</p>\n"), DataError,
               "in: line 3: placeholders: /(a+)+b/ takes too long");
  settings.input_format = InputFormat::kJsonl;
  EXPECT_FAILS(translate(R"({"text": "bread"})"
                         "\n"
                         R"({"text": "a\n)" +
                         slow + "\"}\n"),
               DataError, "in:2: line ");
}

TEST_F(TranslateFile, PrefixesMustBeAsManyAsLines) {
  for (const char* prefixes : {"Nobody\n", "Nobody\n\nMy\n"}) {
    settings.force_prefix = folder.file("prefixes", prefixes);
    EXPECT_FAILS(translate("bread\nbread\n"), DataError, "line counts differ");
  }
  settings.force_prefix = folder.file("prefixes", "Nobody\n\n");
  translate("My bread\nbread\n");
  EXPECT_THAT(output(), testing::MatchesRegex("Nobody.*\nbread\n"));
}

TEST_F(TranslateFile, OutputsThatCannotBeWrittenAreNamed) {
  settings.output = "/dev/full";
  EXPECT_FAILS(translate("bread\n"), WriteError, "/dev/full");
  settings.output = folder.path("no/such/folder/out");
  EXPECT_FAILS(translate("bread\n"), WriteError, "no/such/folder/out");
}

TEST_F(TranslateFile, APrefixTheModelHasNoRoomForNamesItsFileAndLine) {
  package = test::copying_package(10);
  const std::string prefixes = "\nSome workers never painted two wooden boats in the green bridge\n";
  settings.force_prefix = folder.file("prefixes", prefixes);
  EXPECT_FAILS(translate("bread\nbread\n"), DataError, folder.path("prefixes") + ": line 2: its prefix has");
}

TEST_F(TranslateFile, FilesAreOpenedBeforeTheModelIsLoaded) {
  using Scorers = std::shared_ptr<const decoding::ScorerFactory>;
  const LoadScorers never = []() -> Scorers { throw std::logic_error("loaded"); };
  settings.input = folder.file("in", "bread\n");
  EXPECT_THROW(translate_file(settings, package, never), std::logic_error);
  settings.force_prefix = folder.path("no prefixes");
  EXPECT_FAILS(translate_file(settings, package, never), DataError, "no prefixes: cannot be read: No such file");
  settings.force_prefix = "";
  settings.output = folder.path("no/folder");
  EXPECT_FAILS(translate_file(settings, package, never), WriteError, "no/folder");
  settings.input = folder.path("missing");
  EXPECT_FAILS(translate_file(settings, package, never), DataError, "missing: cannot be read: No such file");
}

/// A line of the input that is wrong, with lines before and after it that are not.
class BadLine : public TranslateFile {
 protected:
  static std::string numbered(int count) {
    std::string lines;
    for (int i = 0; i < count; ++i) lines += "{\"text\": \"bread\", \"n\": " + std::to_string(i) + "}\n";
    return lines;
  }
  std::string kept() const { return test::file_bytes(settings.output + ".partial"); }
  static int64_t lines_of(const std::string& text) { return std::ranges::count(text, '\n'); }
  /// What a run with this input and --resume writes, without the seconds.
  std::string resumed(const std::string& input) {
    settings.resume = true;
    translate(input);
    settings.resume = false;
    return output();
  }
};

TEST_F(BadLine, ThoseBeforeItAreTranslatedAndGoneOnWithWhenItIsMended) {
  settings.input_format = InputFormat::kJsonl;
  for (const int before : {1, 7, 2500}) {
    for (const char* bad : {"{\"text\": \n", "{\"text\": 7}\n", "{}\n", "[]\n"}) {
      const std::string error = ", in " + settings.output + ".partial; mend the input, and --resume goes on after them";
      EXPECT_FAILS(translate(numbered(before) + bad + numbered(3)), DataError, error);
      EXPECT_EQ(lines_of(kept()), before) << bad;
      EXPECT_FALSE(std::filesystem::exists(settings.output));
      EXPECT_EQ(lines_of(resumed(numbered(before) + "{\"text\": \"Nobody\"}\n" + numbered(3))), before + 4);
      std::filesystem::remove(settings.output);
    }
  }
}

TEST_F(BadLine, BlankLinesBeforeItDoNotMatter) {
  settings.input_format = InputFormat::kJsonl;
  settings.written.format = OutputFormat::kJsonl;
  const std::string good = "{\"text\": \"bread\"}\n", lines = "\n" + good + "\n \n" + good + good;
  EXPECT_FAILS(translate(lines + "{\"bad\n" + good), DataError, "in:7: not valid JSON");
  testing::internal::CaptureStderr();
  const std::string whole = resumed(lines + "{\"text\": \"Nobody\"}\n" + good);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("going on after line 3"));
  EXPECT_EQ(lines_of(whole), 5);
  EXPECT_THAT(whole, testing::HasSubstr("\"id\":4"));
}

TEST_F(BadLine, PhrasesThatAreWrongCountToo) {
  settings.input_format = InputFormat::kJsonl;
  settings.constraints = true;
  settings.translator.phrases = true;
  EXPECT_FAILS(translate(numbered(3) + "{\"text\": \"bread\", \"constraints\": [\" \"]}\n"), DataError,
               "in:4: a text in the list \"constraints\" is blank; 3 lines are finished, in ");
  EXPECT_EQ(lines_of(kept()), 3);
}

TEST_F(BadLine, OfPackedLinesThoseBeforeTheDamageAreTranslated) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "bread Nobody " + std::to_string(i) + "\n";
  const std::string whole = test::gzipped(text), second = test::gzipped(text);
  settings.input = folder.file("in.gz", whole + second.substr(0, second.size() / 2));
  const auto run = [&] { translate_file(settings, package, [&] { return test::copy_factory(package); }); };
  EXPECT_FAILS(run(), DataError, "ends in the middle of its gzip data");
  const int64_t finished = lines_of(kept());
  EXPECT_GT(finished, 3000);
  EXPECT_LT(finished, 6000);
  settings.input = folder.file("in.gz", whole + second);
  settings.resume = true;
  testing::internal::CaptureStderr();
  run();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("going on after line " + std::to_string(finished)));
  EXPECT_EQ(lines_of(output()), 6000);
}

TEST_F(BadLine, InvalidUtf8WithStrictMayBeLeftToBeReplacedInstead) {
  settings.strict = true;
  EXPECT_FAILS(translate("bread\nNobody\nbr\xFFoad\n"), DataError, "2 lines are finished, in ");
  settings.strict = false;
  settings.resume = true;
  EXPECT_EQ(translate("bread\nNobody\nbr\xFFoad\n").lines, 1);
  EXPECT_EQ(lines_of(output()), 3);
}

TEST_F(BadLine, PrefixesMayBeMended) {
  settings.force_prefix = folder.file("prefixes", "bread\n");
  EXPECT_FAILS(translate("bread\nbread\n"), DataError, "line counts differ");
  EXPECT_EQ(lines_of(kept()), 1);
  settings.force_prefix = folder.file("prefixes", "bread\nNobody\n");
  EXPECT_THAT(resumed("bread\nbread\n"), testing::StartsWith("bread\nNobody"));
}

TEST_F(BadLine, OfSeveralThreadsAndSplitSentencesTheLinesBeforeItAreKept) {
  settings.input_format = InputFormat::kJsonl;
  settings.translator.workers = 3;
  settings.translator.batch.sentences = 2;
  settings.document.split_sentences = true;
  std::string lines;
  for (int i = 0; i < 50; ++i) lines += "{\"text\": \"Nobody. Nobody sees bread.\"}\n";
  EXPECT_FAILS(translate(lines + "x\n" + lines), DataError, "50 lines are finished, in ");
  EXPECT_EQ(lines_of(kept()), 50);
}

TEST_F(BadLine, AnErrorOfTheModelKeepsWhatIsFinished) {
  settings.translator.window_lines = 1;
  int calls = 0;
  const auto info = test::info_of(package);
  const test::Table copy = test::copy_table(info.vocab);
  const test::Table failing = [&](const test::Ids& source, const test::Ids& prefix) {
    if (++calls > 30) throw std::bad_alloc();
    return copy(source, prefix);
  };
  settings.input = folder.file("in", "bread\nNobody\nbread\nbread\nbread\nbread\nbread\nbread\nbread\nbread\n");
  const auto factory = std::make_shared<test::TableFactory>(failing, info, test::Ids{0, 1, 2});
  EXPECT_FAILS(translate_file(settings, package, [&] { return factory; }), ResourceError,
               "out of memory; use smaller batches, a smaller model or fewer threads; ");
  EXPECT_GT(lines_of(kept()), 0);
  const int64_t finished = lines_of(kept());
  calls = -1000;
  settings.resume = true;
  EXPECT_EQ(translate_file(settings, package, [&] { return factory; }).lines, 10 - finished);
}

TEST_F(TranslateFile, TheLinesBeforeALineAreItsContextUpToABlankOne) {
  const std::string word = test::separating_word(), between = " " + word + " ";
  package.config.context = {2, false, "\u2581" + word};
  settings.translator.context = 2;
  translate("Nobody\nMy sister\nThe driver\nThe bridge\n\nSome\n");
  EXPECT_EQ(output(), "Nobody\nNobody" + between + "My sister\nNobody" + between + "My sister" + between +
                          "The driver\nMy sister" + between + "The driver" + between + "The bridge\n\nSome\n");
  settings.translator.batch.sentences = 1;
  settings.translator.window_lines = 1;
  const std::string before = output();
  translate("Nobody\nMy sister\nThe driver\nThe bridge\n\nSome\n");
  EXPECT_EQ(output(), before);
}

TEST_F(TranslateFile, AJsonLineHasItsOwnContext) {
  const std::string word = test::separating_word();
  package.config.context = {2, false, "\u2581" + word};
  settings.input_format = InputFormat::kJsonl;
  translate("{\"text\": \"Nobody\", \"context\": [\"My sister\"]}\n{\"text\": \"Some\"}\n");
  EXPECT_EQ(output(), "Nobody\nSome\n");
  settings.translator.context = 2;
  translate("{\"text\": \"Nobody\", \"context\": [\"My sister\"]}\n{\"text\": \"Some\"}\n");
  EXPECT_EQ(output(), "My sister " + word + " Nobody\nSome\n");
  EXPECT_FAILS(translate("{\"text\": \"Nobody\", \"context\": \"My sister\"}\n"), DataError,
               "expected a list of texts under \"context\"");
}

}  // namespace
}  // namespace ventris::filters

#include "filters/translate_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"

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
  model::Package package = test::tiny_package();
  TranslateSettings settings;
};

TEST_F(TranslateFile, WritesALineForEachLine) {
  const auto counts = translate("The driver likes bread.\n\nNobody sees bread.");
  EXPECT_EQ(output(), "The driver likes bread.\n\nNobody sees bread.\n");
  EXPECT_EQ(counts.lines, 3);
  EXPECT_EQ(counts.empty, 1);
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
  package = test::tiny_package(10);
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

}  // namespace
}  // namespace ventris::filters

#include "documents/document_translator.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"

namespace ventris::documents {
namespace {

class DocumentTranslatorTest : public testing::Test {
 protected:
  std::vector<Answer> translate(const std::vector<std::string>& texts, int64_t max_length = 64) {
    package = test::copying_package(max_length);
    const translation::Translator translator(package, test::copy_factory(package),
                                             translator_options(options, translator_settings));
    const DocumentTranslator documents(translator, options);
    std::vector<Answer> answers;
    size_t next = 0;
    counts = documents.run(
        [&](translation::Request& request) {
          if (next == texts.size()) return false;
          request.text = texts[next++];
          request.bytes = 10;
          return true;
        },
        [] { return true; }, [&](const Answer& answer) { answers.push_back(answer); },
        [&](const translation::DoneLine& line) {
          watched += line.bytes / 10;
          watched_sentences += line.sentences;
          watched_tokens += line.tokens;
        });
    return answers;
  }
  std::vector<std::string> warnings(const Answer& answer) const {
    std::vector<std::string> names;
    for (const Finding& finding : answer.findings) names.emplace_back(name_of(finding.warning));
    return names;
  }

  DocumentOptions options;
  translation::TranslatorOptions translator_settings;
  model::Package package;
  translation::TranslationCounts counts;
  int64_t watched = 0, watched_sentences = 0, watched_tokens = 0;
};

TEST_F(DocumentTranslatorTest, EachSentenceIsTranslatedAndTheSpaceBetweenThemStays) {
  options.split_sentences = true;
  translator_settings.window_lines = 2;  // the sentences of a text are in several windows
  const std::vector<std::string> texts{"  Nobody sees bread.   The driver likes bread.\tNobody.  ", "", " \t", "bread"};
  const auto answers = translate(texts);
  ASSERT_EQ(answers.size(), 4U);
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(answers[i].translation.text(), texts[i]);
}

TEST_F(DocumentTranslatorTest, ACallerMayAskTheTranslatorItself) {
  options.split_sentences = true;
  const std::string text = "  Nobody sees bread.   The driver likes {0}. ";
  options.placeholders = "builtin";
  package = test::copying_package();
  const translation::Translator translator(package, test::copy_factory(package), translator_options(options, {}));
  const DocumentTranslator documents(translator, options);
  const DocumentTranslator::Text begun = documents.begin({.text = text, .prefix = "", .source_language = "x"});
  ASSERT_EQ(begun.requests().size(), 2U);
  EXPECT_EQ(begun.requests().front().text, "Nobody sees bread.");
  EXPECT_EQ(begun.requests().back().source_language, "x");
  std::vector<std::string> sentences;
  for (const translation::Request& request : begun.requests()) sentences.push_back(request.text);
  std::vector<translation::Translation> translations = translator.translate(sentences);
  EXPECT_EQ(documents.finish(begun, translations).translation.text(), text);
  translations.front().candidates.front().text = "Nobody";
  EXPECT_EQ(documents.finish(begun, translations).translation.text(), "  Nobody   The driver likes {0}. ");
  EXPECT_EQ(documents.begin({.text = " ", .prefix = ""}).requests().size(), 1U);
}

TEST_F(DocumentTranslatorTest, TheModelGetsALineInCapitalsAsAnOrdinarySentence) {
  package = test::copying_package();
  const auto asked = [&](const std::string& text, const std::string& prefix = "") {
    const translation::Translator translator(package, test::copy_factory(package), translator_options(options, {}));
    const DocumentTranslator documents(translator, options);
    const DocumentTranslator::Text begun = documents.begin({.text = text, .prefix = prefix});
    const std::string sentence = begun.requests().back().text;
    if (prefix.empty()) {
      EXPECT_EQ(documents.finish(begun, translator.translate({sentence})).translation.text(), text);
    }
    return sentence;
  };
  EXPECT_EQ(asked("THE OLD MAN CARRIES BREAD."), "The old man carries bread.");
  EXPECT_EQ(asked("THE OLD MAN", "The"), "THE OLD MAN");  // a prefix has its letters
  {
    const translation::Translator translator(package, test::copy_factory(package), translator_options(options, {}));
    const DocumentTranslator documents(translator, options);
    const translation::Request request{.text = "THE OLD MAN", .prefix = ""};
    EXPECT_EQ(documents.begin(request).requests().front().as_written, "THE OLD MAN") << "for lists of terms";
    translation::Request forbidding = request;
    forbidding.phrases.forbidden = {"MAN"};
    EXPECT_EQ(documents.begin(forbidding).requests().front().text, "THE OLD MAN") << "as phrases are written";
  }
  options.recase = Recase::kNone;
  EXPECT_EQ(asked("The old man"), "The old man");
  options = {};
  options.markup = Markup::kHtml;
  EXPECT_EQ(asked("<h1>THE <b>OLD</b> MAN</h1>"), "The old man");
  options.placeholders = "builtin";
  EXPECT_EQ(asked("<h1>THE <b>OLD</b> MAN {n}</h1>"), "The old man ");
}

TEST_F(DocumentTranslatorTest, SymbolsThatTheModelDoesNotKnowComeBack) {
  const std::string text = "Nobody 🦊 sees bread. 🍕";
  EXPECT_NE(translate({text}).front().translation.text(), text);
  options.placeholders = "numbers";
  EXPECT_EQ(translate({text, "🦊 Nobody sees bread."}).front().translation.text(), text);
  EXPECT_EQ(translate({"🦊 Nobody sees bread."}).front().translation.text(), "🦊 Nobody sees bread.");
  EXPECT_EQ(translate({"🦊"}).front().segments, 0);
}

TEST_F(DocumentTranslatorTest, ASentenceEndsWithItsLineAndTheLinesOfATextStay) {
  options.split_sentences = true;
  const std::string text = "Nobody\n\n  Nobody sees\nbread. Nobody.\n";
  const auto answers = translate({text});
  EXPECT_EQ(answers[0].translation.text(), text);
  EXPECT_EQ(answers[0].segments, 4) << "a line without a full stop is no part of the next sentence";
}

TEST_F(DocumentTranslatorTest, CountsAndProgressAreThoseOfTexts) {
  options.split_sentences = true;
  const auto answers = translate({"Nobody sees bread. Nobody.", "", "bread"});
  EXPECT_EQ(counts.lines, 3);
  EXPECT_EQ(counts.empty, 1);
  EXPECT_EQ(watched, 3);
  EXPECT_EQ(watched_sentences, 3);
  EXPECT_EQ(watched_tokens, counts.target_tokens);
  EXPECT_EQ(answers[0].segments, 2);
  EXPECT_EQ(answers[1].segments, 0);
}

TEST_F(DocumentTranslatorTest, WithoutSplittingALineIsOneSentenceAndThatIsWarnedAbout) {
  const auto answers = translate({"Nobody sees bread. Nobody likes bread.", "Nobody sees bread."});
  EXPECT_EQ(answers[0].segments, 1);
  EXPECT_EQ(warnings(answers[0]), (std::vector<std::string>{"several_sentences", "copy"}));
  EXPECT_EQ(warnings(answers[1]), std::vector<std::string>{});
  options.guards = false;
  EXPECT_EQ(warnings(translate({"Nobody sees bread. Nobody likes bread."})[0]), std::vector<std::string>{});
}

TEST_F(DocumentTranslatorTest, ASentenceOverTheModelsLengthIsCutInsteadOfLosingItsEnd) {
  const std::string text = "Nobody sees bread and The driver likes bread and Some workers carries bread";
  EXPECT_TRUE(translate({text}, 16)[0].translation.source_cut);
  options.split_sentences = true;
  const auto answers = translate({text}, 16);
  EXPECT_FALSE(answers[0].translation.source_cut);
  EXPECT_EQ(answers[0].translation.text(), text);
  EXPECT_EQ(warnings(answers[0]), std::vector<std::string>(5, "long_sentence"));  // each part
}

TEST_F(DocumentTranslatorTest, WhatIsWrongWithASentenceIsAFindingOfItsText) {
  options.split_sentences = true;
  const auto answers = translate({"Nobody sees bread. Nobody sees \u4f60\u597d."});
  EXPECT_EQ(warnings(answers[0]), (std::vector<std::string>{"writing_system", "unknown_characters"}));
}

TEST_F(DocumentTranslatorTest, PlaceholdersWithoutTextBetweenThemStayTogether) {
  options.placeholders = "builtin";
  const auto answers = translate({"Nobody sees {0}{1} bread.\\r\\n", "%d%% bread"});
  for (const auto& [answer, whole] : {std::pair{0, "{0}{1}"}, {0, "\\r\\n"}, {1, "%d%%"}}) {
    EXPECT_NE(answers[static_cast<size_t>(answer)].translation.text().find(whole), std::string::npos) << whole;
  }
}

TEST_F(DocumentTranslatorTest, AMessageWithFormsOfIcuHasAWarning) {
  options.placeholders = "builtin";
  const std::string forms = "{n, plural, one {# day} other {# days}}";
  const auto answers = translate({"Nobody sees " + forms, forms, "Nobody sees {n}"});
  EXPECT_EQ(warnings(answers[0]), std::vector<std::string>{"message_forms"});
  EXPECT_EQ(warnings(answers[1]), std::vector<std::string>{"message_forms"});
  EXPECT_EQ(warnings(answers[2]), std::vector<std::string>{});
}

TEST_F(DocumentTranslatorTest, PlaceholdersComeBackOnceEach) {
  options.placeholders = "builtin";
  const auto answers = translate({"Nobody sees {0} bread.", "%s", "{0} {0} bread __X__", "bread \uFFFC bread"});
  for (const Answer& answer : answers) EXPECT_EQ(warnings(answer), std::vector<std::string>{});
  EXPECT_EQ(answers[1].translation.text(), "%s");
  EXPECT_NE(answers[0].translation.text().find("{0}"), std::string::npos);
  EXPECT_NE(answers[3].translation.text().find("\uFFFC"), std::string::npos);
  EXPECT_TRUE(answers[0].translation.candidates.front().links.empty());
}

TEST_F(DocumentTranslatorTest, TheTagsOfADocumentStayAndItsLinesAreNamed) {
  options.markup = Markup::kHtml;
  options.split_sentences = true;
  const auto answers =
      translate({"<p>\n Nobody sees <b>bread</b>. Nobody.</p>\n<p class=x>The driver \u4f60\u597d</p>\n", "", "<br>"});
  const std::string text = answers[0].translation.text();
  EXPECT_EQ(text.find("<p>\n Nobody sees <b>bread</b>. Nobody.</p>\n<p class=x>The driver "), 0U) << text;
  EXPECT_EQ(answers[0].segments, 3);
  ASSERT_FALSE(answers[0].findings.empty());
  EXPECT_EQ(answers[0].findings.front().line, 3);
  EXPECT_EQ(answers[1].translation.text(), "");
  EXPECT_EQ(answers[2].translation.text(), "<br>");
}

TEST_F(DocumentTranslatorTest, AttributesAreTranslatedInTheirPlaces) {
  options.markup = Markup::kHtml;
  options.split_sentences = true;
  options.changes = {.attributes = true, .language = "de"};
  const std::string page =
      "<html lang=en><p title='Nobody sees bread. Nobody.'><b title=\"bread\">Nobody</b> sees bread.</p>\n<br "
      "title=bread>";
  const auto answers = translate({page, "<img alt='Nobody'>", "<p>bread</p>"});
  EXPECT_EQ(answers[0].translation.text(),
            "<html lang=\"de\"><p title='Nobody sees bread. Nobody.'><b title=\"bread\">Nobody</b> sees bread.</p>\n"
            "<br title=\"bread\">");
  EXPECT_EQ(answers[1].translation.text(), "<img alt='Nobody'>");
  EXPECT_EQ(answers[1].segments, 1);
  EXPECT_EQ(answers[2].translation.text(), "<p>bread</p>");
}

TEST_F(DocumentTranslatorTest, ATargetOfXliffIsTheTranslationOfItsSource) {
  options.markup = Markup::kXml;
  const std::string begin = "<xliff version=\"1.2\"><trans-unit><source>Nobody <x id=\"1\"/> sees bread</source>";
  EXPECT_EQ(translate({begin + "</trans-unit></xliff>"})[0].translation.text(),
            begin + "<target>Nobody <x id=\"1\"/> sees bread</target></trans-unit></xliff>");
}

TEST_F(DocumentTranslatorTest, ANoteInASentenceOfXmlIsATextOfItsOwn) {
  options.markup = Markup::kXml;
  const std::string text = "<p>Nobody<fn>The driver<fn>bread</fn></fn> sees <b>bread</b></p>";
  const auto answers = translate({text});
  EXPECT_EQ(answers[0].translation.text(), text);
  EXPECT_EQ(answers[0].segments, 3);
}

TEST_F(DocumentTranslatorTest, TheMarksOfMarkdownStayAndNothingBecomesOne) {
  options.markup = Markup::kMarkdown;
  const auto answers = translate({"# Nobody *sees* bread\n\n- The **driver** likes\n  [bread](u)\n\n```\ncode\n```\n"});
  EXPECT_EQ(answers[0].translation.text(),
            "# Nobody *sees* bread\n\n- The **driver** likes [bread](u)\n\n```\ncode\n```\n");
  const std::string placed = translate({"Nobody **dog** sees"})[0].translation.text();
  EXPECT_EQ(placed.find("****"), std::string::npos) << placed;
  EXPECT_EQ(translate({"1\\. Nobody\n"})[0].translation.text().find("1. "), std::string::npos);
}

TEST_F(DocumentTranslatorTest, ALinkAroundCodeKeepsIt) {
  options.markup = Markup::kHtml;
  const std::string text = translate({"<p>Nobody <a href=\"/f\"><code>f()</code></a> sees</p>"})[0].translation.text();
  EXPECT_NE(text.find("<a href=\"/f\"><code>f()</code></a>"), std::string::npos) << text;
}

TEST_F(DocumentTranslatorTest, EmphasisMayGoOnInTheNextSentence) {
  options.markup = Markup::kMarkdown;
  options.split_sentences = true;
  const auto answers = translate(
      {"**Nobody sees bread. Nobody** likes bread.", "[Nobody][] likes [bread]\n\n[nobody]: /n\n[bread]: /b\n"});
  EXPECT_EQ(answers[0].translation.text(), "**Nobody sees bread. Nobody** likes bread.");
  EXPECT_EQ(answers[1].translation.text(), "[Nobody][Nobody] likes [bread][bread]\n\n[nobody]: /n\n[bread]: /b\n");
  EXPECT_EQ(warnings(answers[1]), std::vector<std::string>{});
}

TEST_F(DocumentTranslatorTest, WithoutThemALostPlaceholderIsAFinding) {
  EXPECT_EQ(warnings(translate({"Nobody sees {0} bread."})[0]),
            (std::vector<std::string>{"unknown_characters", "placeholders"}));
}

TEST_F(DocumentTranslatorTest, WhatCannotBeCombinedWithPlaceholdersIsRefused) {
  options.placeholders = "builtin";
  translator_settings.search.n_best = 2;
  EXPECT_FAILS(translator_options(options, translator_settings), ConfigError,
               "n_best: must be 1 with placeholders and markup");
  translator_settings = {};
  translator_settings.finish.alignment = true;
  EXPECT_FAILS(translator_options(options, translator_settings), ConfigError,
               "alignment: cannot be combined with placeholders and markup");
}

TEST(WarningCounts, ALineCountsOnceForEachKind) {
  WarningCounts counts;
  counts.add({{Warning::kCopy, 1}, {Warning::kCopy, 1}, {Warning::kRepetition, 1}}, 3);
  counts.add({{Warning::kCopy, 2}}, 4);
  EXPECT_EQ(counts.sentences(), (std::vector<std::string>{"1 translation repeats itself over and over (line 3)",
                                                          "2 translations are the same as the source (lines 3, 5)"}));
}

TEST_F(DocumentTranslatorTest, TheContextOfASentenceAreThoseBeforeItInTheTextAndTheRequest) {
  options.split_sentences = true;
  package = test::copying_package();
  package.config.context = {3, false, "\u2581" + test::separating_word()};
  translation::TranslatorOptions asked;
  asked.context = 3;
  const translation::Translator translator(package, test::copy_factory(package), translator_options(options, asked));
  const DocumentTranslator documents(translator, options);
  using Contexts = std::vector<std::string>;
  const auto contexts = [](const DocumentTranslator::Text& text) {
    std::vector<Contexts> all;
    for (const translation::Request& request : text.requests()) all.push_back(request.context);
    return all;
  };
  const auto begun = documents.begin(
      {.text = "Nobody. The driver.\nBread.", .prefix = "", .context = {"A child.", "My sister. Some."}});
  EXPECT_EQ(contexts(begun), (std::vector<Contexts>{{"A child.", "My sister.", "Some."},
                                                    {"My sister.", "Some.", "Nobody."},
                                                    {"Some.", "Nobody.", "The driver."}}));
  EXPECT_EQ(contexts(documents.begin({.text = " ", .prefix = "", .context = {"A child."}})),
            (std::vector<Contexts>{{"A child."}}));
}

TEST_F(DocumentTranslatorTest, InPlainTextSignsInFrontOfASentenceStay) {
  options.split_sentences = true;
  package = test::copying_package();
  const translation::Translator translator(package, test::copy_factory(package), translator_options(options, {}));
  const DocumentTranslator documents(translator, options);
  for (const std::string sign : {"\u2022 ", "- ", "\u2192 ", "\u2610 "}) {
    EXPECT_EQ(documents.begin({.text = sign + "Nobody.", .prefix = ""}).requests().front().text, "Nobody.") << sign;
  }
}

TEST_F(DocumentTranslatorTest, OnlyBuiltinPlaceholdersKeepLinesTogether) {
  options.split_sentences = true;
  options.placeholders = "numbers";
  EXPECT_EQ(translate({"Nobody {a\n} sees.\nNobody <pre>sees\nbread</pre>."}).front().segments, 4);
  options.placeholders = "numbers,builtin";
  EXPECT_EQ(
      translate({"Nobody {a\n} sees.\nNobody <pre>" + std::string(2000, 'a') + "\nbread</pre>."}).front().segments, 2);
}

TEST_F(DocumentTranslatorTest, CodeOverSeveralLinesOfATextStays) {
  options.split_sentences = true;
  options.placeholders = "builtin";
  const std::string text = "Nobody sees {n, plural,\n one {# bread}\n other {# bread}}.\nNobody.";
  EXPECT_EQ(translate({text}).front().translation.text(), text);
}

}  // namespace
}  // namespace ventris::documents

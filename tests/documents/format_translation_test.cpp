#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "documents/document_translator.h"
#include "formats/subtitle_cues.h"
#include "metrics/unicode.h"
#include "support/copy_model.h"
#include "support/document_run.h"
#include "support/errors.h"
#include "support/upper_case_run.h"

/// Files of each format, from their bytes to the translated bytes, with a "model" that is a function of the sentence.
namespace ventris::documents {
namespace {

using Change = std::function<std::string(const std::string& sentence)>;

std::string unchanged(const std::string& sentence) { return sentence; }

class FormatTranslation : public testing::Test {
 protected:
  std::string translate(const std::string& document, markup::Markup markup, const Change& change = unchanged) {
    options.markup = markup;
    test::ChangedDocument changed = test::change_document(document, options, change, test::WordOrder::kSame);
    sentences = std::move(changed.sentences);
    segments = changed.answer.segments;
    return changed.answer.translation.text();
  }

  DocumentOptions options;
  std::vector<std::string> sentences;  // that the model got
  int64_t segments = 0;
};

using Texts = std::vector<std::string>;

const std::string kFilm =
    "1\n00:00:01,000 --> 00:00:03,000\nIt was late. And then\nhe went\n\n"
    "2\n00:00:03,100 --> 00:00:05,000\n<i>home to his dear wife.</i>\n\n"
    "3\n00:00:06,000 --> 00:00:08,000\n- Who is there?\n- Me.\n";

TEST_F(FormatTranslation, ASentenceOverSubtitlesIsTranslatedWholeAndLaidOutAgain) {
  const auto change = [](const std::string& sentence) {
    return sentence.starts_with("And") ? "Und dann ging er nach Hause zu seiner Frau." : sentence;
  };
  const std::string written = translate(kFilm, markup::Markup::kSrt, change);
  EXPECT_EQ(sentences, (Texts{"It was late.", "And then he went home to his dear wife.", "Who is there?", "Me."}));
  EXPECT_EQ(segments, 4);
  EXPECT_EQ(written,
            "1\n00:00:01,000 --> 00:00:03,000\nIt was late. Und dann\nging er\n\n"
            "2\n00:00:03,100 --> 00:00:05,000\n<i>nach Hause zu seiner Frau.</i>\n\n"
            "3\n00:00:06,000 --> 00:00:08,000\n- Who is there?\n- Me.\n");
}

TEST_F(FormatTranslation, FormulasOfTexStay) {
  using markup::Markup;
  const std::string text = "so ($$a_i \\neq b$$) is", loads = "<script src=\"katex.js\"></script>";
  const std::vector<std::pair<Markup, std::string>> documents{
      {Markup::kHtml, "<p>" + text + "</p>"},
      {Markup::kHtml, loads + "<p>so ($n$) is</p>"},
      {Markup::kXml, "<a><b><![CDATA[<p>" + text + "</p>]]></b><c>\\(\\frac{a}{b}\\)</c></a>"},
      {Markup::kXml, "<a>so (\\(abc\\)) is</a>"},
      {Markup::kJson, "{\"a\": \"so ($$a_i \\\\neq b$$) is\"}"},
      {Markup::kPo,
       "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\"\n\nmsgid \"so ($a_i$) is\"\nmsgstr \"\"\n"},
      {Markup::kYaml, "a: " + text + "\n"},
  };
  for (const auto& [markup, document] : documents) {
    const std::string written = translate(document, markup, [](const std::string& sentence) { return sentence; });
    EXPECT_EQ(sentences, Texts{"so () is"}) << document;
    if (markup != Markup::kPo) {
      EXPECT_EQ(written, document);
    }
  }
}

TEST_F(FormatTranslation, CodesOfForumsStayInLinesOfTheirOwn) {
  const std::string document = R"({"a": "[list]\n[*] word\n[/list]\n[url=https://a.org]\nword\n[/url]"})";
  EXPECT_EQ(translate(document, markup::Markup::kJson, [](const std::string& sentence) { return sentence; }), document);
  EXPECT_EQ(sentences, (Texts{"[*] word", "word"}));
}

TEST_F(FormatTranslation, ABlockWithoutLettersStaysInAllFormats) {
  using markup::Markup;
  const std::vector<std::pair<Markup, std::string>> documents{
      {Markup::kHtml,
       "<table><tr><td>12</td><td>word</td><td><b>3.5</b> \u20ac</td></tr></table><p title='7'>2020</p>"},
      {Markup::kMarkdown, "# 2020\n\n| word | 12 |\n|------|----|\n| 3.5  | *2020-01-01* |\n\n- 5 %\n"},
      {Markup::kXml, "<a><b>12</b><c>word</c><d>2020-01-01</d></a>"},
      {Markup::kSrt,
       "1\n00:00:01,000 --> 00:00:02,000\n2020\n\n2\n00:00:03,000 --> 00:00:04,000\nword\n\n"
       "3\n00:00:05,000 --> 00:00:06,000\n- 3.5?\n- 12!\n"},
      {Markup::kVtt, "WEBVTT\n\n00:01.000 --> 00:02.000\n2020\n\n00:02.100 --> 00:04.000\n- 12?\n- word\n"},
      {Markup::kJson, "{\"a\": \"word\", \"b\": \"12\", \"c\": [\"2020-01-01\"]}"},
      {Markup::kAndroid, "<resources><string name=\"a\">word</string><string name=\"b\">3.5</string></resources>"},
      {Markup::kProperties, "a=word\nb=12\n"},
      {Markup::kStrings, "\"a\" = \"word\";\n\"b\" = \"12\";\n"},
      {Markup::kYaml, "a: word\nb: \"12\"\n"},
  };
  for (const auto& [markup, document] : documents) {
    const std::string written = translate(document, markup, [](const std::string&) { return "Wort"; });
    EXPECT_EQ(sentences, Texts{"word"}) << document;
    std::string expected = document;
    expected.replace(document.rfind("word"), 4, "Wort");
    EXPECT_EQ(written, expected);
  }
}

TEST_F(FormatTranslation, AMessageOfACatalogueWithoutLettersIsItsOwnTranslation) {
  const std::string catalogue = "msgid \"word\"\nmsgstr \"\"\n\nmsgid \"12\"\nmsgstr \"\"\n";
  const std::string written = translate(catalogue, markup::Markup::kPo);
  EXPECT_EQ(sentences, Texts{"word"});
  EXPECT_TRUE(written.ends_with("msgid \"12\"\nmsgstr \"12\"\n")) << written;
}

TEST_F(FormatTranslation, ANumberInASubtitleWithLettersBelongsToItsSentence) {
  translate("1\n00:00:01,000 --> 00:00:03,000\nIt was\n1956\nand late\n", markup::Markup::kSrt);
  EXPECT_EQ(sentences, Texts{"It was 1956 and late"});
}

TEST_F(FormatTranslation, AUnitOfXliffWithoutLettersHasItsSourceAsTarget) {
  const std::string begin = "<xliff version=\"1.2\"><file><body><trans-unit id=\"1\"><source>12</source>";
  const std::string end = "</trans-unit></body></file></xliff>";
  const std::string written = translate(begin + end, markup::Markup::kXliff);
  EXPECT_EQ(segments, 0);
  EXPECT_NE(written.find(">12</target>"), std::string::npos) << written;
}

/// Subtitles that are drawn: words, tags, codes and signs of all kinds.
std::string drawn_subtitles(uint32_t seed, bool vtt) {
  std::mt19937 draw(seed);
  const auto one_of = [&](const Texts& texts) { return texts[draw() % texts.size()]; };
  const Texts words{"one ", "two", "three. ", "Four ",  ", ",     "! ", "<i>",  "</i>", "<b>",     "</b>",
                    "- ",   "&",   "<",       "&amp; ", "\u266A", " ",  "5",    "...",  "{\\an8}", "\u4F60\u597D",
                    "[a]",  "A: ", "<v B>",   ">",      "\t",     "1",  "NOTE", "{a",   "}",       "\u00FC"};
  const std::string end = draw() % 2 == 0 ? "\n" : "\r\n";
  std::string file = vtt ? "WEBVTT" + end + end : "";
  for (size_t cue = draw() % 8; cue > 0; --cue) {
    if (draw() % 2 == 0) file += std::to_string(draw() % 9) + end;
    const std::string time =
        vtt ? "00:0" + std::to_string(draw() % 9) + ".000" : "00:00:0" + std::to_string(draw() % 9) + ",000";
    file += time + " --> " + time + (draw() % 4 == 0 ? " X1:1" : "") + end;
    for (size_t line = draw() % 4; line > 0; --line) {
      std::string text = "x";
      for (size_t word = draw() % 8; word > 0; --word) text += one_of(words);
      file += (draw() % 2 == 0 ? text : text.substr(1) + "y") + end;
    }
    file += end;
  }
  return draw() % 3 == 0 && file.size() > 2 ? file.substr(0, file.find_last_not_of("\r\n") + 1) : file;
}

/// How often a file has each tag.
std::vector<size_t> counts_of_tags(const std::string& file) {
  std::vector<size_t> counts;
  for (const char* tag : {"<i>", "</i>", "<b>", "</b>", "<v B>", "{\\an8}"}) {
    counts.push_back(test::count_of(file, tag));
  }
  if (file.starts_with("WEBVTT")) counts.pop_back();  // it is text there
  return counts;
}

TEST_F(FormatTranslation, DrawnSubtitlesKeepEverythingButTheirWords) {
  for (uint32_t seed = 0; seed < 80; ++seed) {
    const bool vtt = seed % 2 == 1;
    const markup::Markup markup = vtt ? markup::Markup::kVtt : markup::Markup::kSrt;
    const std::string file = drawn_subtitles(seed, vtt);
    EXPECT_EQ(translate(file, markup), file) << seed;
    const std::string longer = translate(file, markup, [](const std::string& text) { return "zz " + text + " zz zz"; });
    EXPECT_EQ(formats::read_cues(longer, markup).size(), formats::read_cues(file, markup).size()) << seed;
    EXPECT_EQ(counts_of_tags(longer), counts_of_tags(file)) << file << longer;
    const std::string shorter = translate(file, markup, [](const std::string&) { return "z"; });
    EXPECT_EQ(counts_of_tags(shorter), counts_of_tags(file)) << file << shorter;
    const auto cues = formats::read_cues(shorter, markup), before = formats::read_cues(file, markup);
    ASSERT_EQ(cues.size(), before.size()) << file << shorter;
    for (size_t i = 0; i < cues.size(); ++i) {
      EXPECT_EQ(cues[i].begin, before[i].begin) << file << shorter;
      EXPECT_LE(cues[i].lines.size(), before[i].lines.size()) << file << shorter;
    }
  }
}

TEST_F(FormatTranslation, AWarningNamesTheLineOfItsSentence) {
  options.markup = markup::Markup::kSrt;
  options.guards = false;
  const std::string file =
      "1\n00:00:01,000 --> 00:00:03,000\nNobody sees it.\nNobody likes\n\n2\n00:00:03,100 --> 00:00:05,000\n";
  std::string many;
  for (int i = 0; i < 60; ++i) many += "bread ";
  const model::Package package = test::copying_package(16);
  const translation::Translator translator(package, test::copy_factory(package), translator_options(options, {}));
  const DocumentTranslator documents(translator, options);
  const DocumentTranslator::Text text = documents.begin({.text = file + many, .prefix = ""});
  std::vector<translation::Translation> translations(text.requests().size());
  for (translation::Translation& one : translations) one.candidates.emplace_back().text = "x";
  const Answer answer = documents.finish(text, translations);
  ASSERT_FALSE(answer.findings.empty());
  EXPECT_EQ(answer.findings.front().warning, Warning::kLongSentence);
  EXPECT_EQ(answer.findings.front().line, 4);
  EXPECT_EQ(answer.findings.back().line, 8);
}

TEST_F(FormatTranslation, PlaceholdersOfMessagesStay) {
  const auto loses = [](const std::string&) { return "z"; };
  const std::vector<std::pair<markup::Markup, std::string>> files{
      {markup::Markup::kPo, "msgid \"Nobody %s\"\nmsgstr \"\"\n"},
      {markup::Markup::kJson, "[\"Nobody %s\"]"},
      {markup::Markup::kYaml, "a: Nobody %s"},
      {markup::Markup::kXliff, "<xliff><trans-unit><source>Nobody %s</source></trans-unit></xliff>"},
      {markup::Markup::kAndroid, "<resources><string>Nobody %s</string></resources>"}};
  for (const auto& [markup, file] : files) {
    const size_t sources = markup::has_both_sides(markup) ? 1 : 0;
    EXPECT_EQ(test::count_of(translate(file, markup, loses), "%s"), sources + 1) << file;
  }
}

TEST_F(FormatTranslation, ArgumentsOfQtAndKdeStay) {
  const auto drops_signs = [](const std::string& sentence) { return "zz " + sentence.substr(0, 3) + " zz"; };
  for (const char* flag : {"kde-format", "kde-kuit-format", "qt-format", "qt-plural-format", "ycp-format"}) {
    const std::string head =
        std::string("#, fuzzy, ") + flag + "\nmsgid \"%2files of %1 for %Ln <a href='%3'>x</a>\"\n";
    const std::string written = translate(head + "msgstr \"\"\n", markup::Markup::kPo, drops_signs);
    for (const char* sign : {"%1", "%2", "%Ln", "<a href='%3'>"}) {
      EXPECT_EQ(test::count_of(written, sign), 2) << written;
    }
  }
}

TEST_F(FormatTranslation, MacrosOfCTakeNoLettersOfTheNextWord) {
  const auto in_german = [](const std::string& sentence) { return sentence == " dogs" ? "Hunde" : "?"; };
  for (const char* sign : {"%<PRIu64>", "%5<PRIu64>", "%1$-5.2<PRIu64>"}) {
    const std::string head = std::string("#, fuzzy, c-format\nmsgid \"") + sign + " dogs\"\n";
    EXPECT_EQ(translate(head + "msgstr \"\"\n", markup::Markup::kPo, in_german),
              head + "msgstr \"" + sign + " Hunde\"\n");
  }
}

TEST_F(FormatTranslation, NumberedTagsAndLinksOfMessagesStay) {
  const auto loses = [](const std::string&) { return "z"; };
  for (const char* file : {"{\"a\": \"<0>A man</0> walks with <1/>two @:common.men.\"}",
                           "a: <0>A man</0> walks with <1/>two @:common.men.",
                           "msgid \"<0>A man</0> walks with <1/>two @:common.men.\"\nmsgstr \"\""}) {
    const std::string document(file);
    const markup::Markup markup = document[0] == '{'   ? markup::Markup::kJson
                                  : document[0] == 'a' ? markup::Markup::kYaml
                                                       : markup::Markup::kPo;
    const std::string written = translate(document, markup, loses);
    for (const char* sign : {"<0>", "</0>", "<1/>", "@:common.men"})
      EXPECT_EQ(test::count_of(written, sign), markup == markup::Markup::kPo ? 2 : 1) << written;
  }
}

TEST_F(FormatTranslation, TagsOfMessagesStayAroundTheirWords) {
  const auto longer = [](const std::string& sentence) { return sentence + " zz zz"; };
  const auto json = [&](const std::string& text) {
    const std::string written = translate("[\"" + text + "\"]", markup::Markup::kJson, longer);
    return written.substr(2, written.size() - 4);
  };
  EXPECT_EQ(json("<b>A boy sits.</b>"), "<b>A boy sits. zz zz</b>");
  EXPECT_EQ(sentences, Texts{"A boy sits."});
  EXPECT_EQ(json("<p><b>A boy</b> sits.</p>"), "<p><b>A boy</b> sits. zz zz</p>");
  EXPECT_EQ(json("<0>A man</0> sees <1/>dogs"), "<0>A man</0> sees <1/>dogs zz zz");
  EXPECT_EQ(json("<p>A boy<br>"), "<p>A boy zz zz<br>");
  EXPECT_EQ(json("one</p>"), "one zz zz</p>");
  EXPECT_EQ(json("<b>%s</b>!"), "<b>%s</b>!");
  EXPECT_EQ(segments, 0);
}

TEST_F(FormatTranslation, TagsThatAreTextStayAroundTheirWords) {
  const auto longer = [](const std::string& sentence) { return sentence + " zz zz"; };
  const std::string xliff = "<xliff><trans-unit><source>&lt;b&gt;A boy&lt;/b&gt; sits.</source>";
  EXPECT_EQ(translate(xliff + "</trans-unit></xliff>", markup::Markup::kXliff, longer),
            xliff + "<target>&lt;b&gt;A boy&lt;/b&gt; sits. zz zz</target></trans-unit></xliff>");
  EXPECT_EQ(sentences, Texts{"A boy sits."});
  EXPECT_EQ(
      translate("<resources><string>&lt;b>A boy&lt;/b> sits.</string></resources>", markup::Markup::kAndroid, longer),
      "<resources><string>&lt;b&gt;A boy&lt;/b&gt; sits. zz zz</string></resources>");
  options.placeholders = "builtin";
  EXPECT_EQ(translate("<b>A boy</b> sits.", markup::Markup::kNone, longer), "<b>A boy</b> sits. zz zz");
  EXPECT_EQ(sentences, Texts{"A boy sits."});
  EXPECT_EQ(translate("<p>&lt;b>A boy&lt;/b> sits.</p>", markup::Markup::kHtml, longer),
            "<p>&lt;b&gt;A boy&lt;/b&gt; sits. zz zz</p>");
}

/// A message that is drawn: words, tags that need not be nested, and other placeholders.
std::string drawn_message(std::mt19937& draw) {
  const Texts parts{"one ", "two",  ". ",   "Four ",  "<b>",  "</b>", "<i>", "</i>", "<0>", "</0>", "<1/>", "{y}",
                    "%s ",  "<br>", "{x} ", "\uFFFC", "</p>", "<p>",  "1 ",  " ",    "a",   "<",    ">"};
  std::string text = "x";
  for (size_t part = draw() % 16; part > 0; --part) text += parts[draw() % parts.size()];
  return draw() % 2 == 0 ? text : text.substr(1) + " y";
}

/// Whether an end tag has no start tag in front of it, or a start tag no end tag behind it.
bool has_tag_alone(const std::string& text, const std::string& name) {
  int64_t open = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, name.size() + 2, "<" + name + ">") == 0) ++open;
    if (text.compare(at, name.size() + 3, "</" + name + ">") == 0 && --open < 0) return true;
  }
  return open != 0;
}

TEST_F(FormatTranslation, DrawnMessagesKeepTheirTagsInOrder) {
  std::mt19937 draw(1);
  const auto shuffled = [](const std::string& sentence) {
    Texts words;
    for (const std::string_view word : metrics::split_words(sentence)) words.emplace_back(word);
    std::ranges::reverse(words);
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  };
  for (int i = 0; i < 80; ++i) {
    const std::string message = drawn_message(draw);
    const std::string json = "[\"" + message + "\"]";
    EXPECT_EQ(translate(json, markup::Markup::kJson), json);
    for (const Change& change : {Change(shuffled), Change([](const std::string&) { return "z"; }),
                                 Change([](const std::string& text) { return "zz " + text + " zz"; })}) {
      for (const markup::Markup kind : {markup::Markup::kJson, markup::Markup::kNone}) {
        options.placeholders = "builtin";
        const std::string written = translate(json, kind, change);
        for (const char* sign :
             {"<b>", "</b>", "<i>", "</i>", "<0>", "</0>", "<1/>", "<p>", "</p>", "<br>", "%s", "{x}", "{y}"}) {
          EXPECT_EQ(test::count_of(written, sign), test::count_of(json, sign)) << json << written;
        }
        for (const char* name : {"b", "i", "0", "p"}) {
          EXPECT_TRUE(has_tag_alone(json, name) || !has_tag_alone(written, name)) << json << written;
        }
      }
    }
  }
}

TEST_F(FormatTranslation, FormatsInLinesCannotChangeTheirLanguage) {
  options.markup = markup::Markup::kSrt;
  options.changes.language = "de";
  EXPECT_FAILS(translator_options(options, {}), ConfigError, "has an effect only in HTML, XML, EPUB and JSON");
}

/// Turns the words around.
std::string reversed(const std::string& sentence) {
  std::string turned;
  for (const std::string_view word : metrics::split_words(sentence)) turned = std::string(word) + " " + turned;
  return turned.substr(0, turned.size() - 1);
}

TEST_F(FormatTranslation, ConversionsInAnotherOrderGetNumbersInAndroidAndApple) {
  using markup::Markup;
  const auto turned = [&](const std::string& document, Markup markup) {
    options.markup = markup;
    return test::change_document(document, options, reversed, test::WordOrder::kReversed).answer.translation.text();
  };
  EXPECT_EQ(turned("<resources><string name=\"a\">give %s the %d now</string></resources>", Markup::kAndroid),
            "<resources><string name=\"a\">%2$d now %1$s the give</string></resources>");
  EXPECT_EQ(turned("\"a\" = \"give %@ the %d now. One %s.\";\n", Markup::kStrings),
            "\"a\" = \"%3$s. One %2$d now. %1$@ the give\";\n");
}

TEST_F(FormatTranslation, NumbersCountAllConversionsOfAMessageAndNothingElse) {
  const auto turned = [&](const std::string& text) {
    options.markup = markup::Markup::kStrings;
    const std::string document = "\"a\" = \"" + text + "\";\n";
    return test::change_document(document, options, reversed, test::WordOrder::kReversed).answer.translation.text();
  };
  EXPECT_EQ(turned("%@: Give %@ the %d now"), "\"a\" = \"%3$d now %2$@ the Give %1$@:\";\n");
  EXPECT_EQ(turned("give <b href='x%20dy'>all</b> 100% safe %s"),
            "\"a\" = \"safe %s 100% <b href='x%20dy'>all</b> give\";\n");
}

TEST_F(FormatTranslation, ConversionsInAnotherOrderAreReportedWhereTheyCannotHaveNumbers) {
  options.markup = markup::Markup::kJson;
  test::WordOrder order = test::WordOrder::kReversed;
  const auto warnings = [&](const std::string& document, const Change& change) {
    return warnings_of(test::change_document(document, options, change, order).answer.findings);
  };
  EXPECT_TRUE(warnings("{\"a\": \"give %s the %d now\"}", reversed).contains(Warning::kOrder));
  EXPECT_TRUE(warnings("{\"a\": \"give {} the {:d} now\"}", reversed).contains(Warning::kOrder));
  EXPECT_FALSE(warnings("{\"a\": \"give %s the %s\"}", reversed).contains(Warning::kOrder));
  EXPECT_FALSE(warnings("{\"a\": \"give %1$s the %2$d\"}", reversed).contains(Warning::kOrder));
  options.markup = markup::Markup::kPo;
  const std::string entry = "#, python-format\nmsgid \"give %s the %d now\"\nmsgstr \"\"\n";
  EXPECT_TRUE(warnings(entry, reversed).contains(Warning::kLeft));
  order = test::WordOrder::kSame;
  EXPECT_FALSE(warnings(entry, unchanged).contains(Warning::kLeft));
}

TEST_F(FormatTranslation, LinesOfPropertiesMayEndWithCarriageReturns) {
  const auto change = [](const std::string& sentence) { return "<" + sentence + ">"; };
  EXPECT_EQ(translate("a=one\rb=two \\\r  three\r", markup::Markup::kProperties, change), "a=<one>\rb=<two three>\r");
}

TEST_F(FormatTranslation, TagsThatEscapesWriteInXmlStayAroundTheirWords) {
  const std::string feed =
      "<rss><channel><description>&lt;p>The &lt;b&gt;old&lt;/b&gt; dog.&lt;/p&gt;&lt;!-- x --&gt;</description>"
      "<title>5 &lt; 6</title></channel></rss>";
  const std::string written = translate(feed, markup::Markup::kXml);
  EXPECT_EQ(sentences, (Texts{"The old dog."}));
  EXPECT_NE(written.find("&lt;b&gt;old&lt;/b&gt; dog.&lt;/p&gt;&lt;!-- x --&gt;"), std::string::npos) << written;
}

TEST_F(FormatTranslation, EntitiesThatEscapesWriteInXmlAreLettersOrStay) {
  const std::string feed =
      "<rss><channel><description>&lt;p>Don&amp;rsquo;t go to S&amp;atilde;o.&lt;/p&gt;</description>"
      "<title>Tom &amp;amp; I</title></channel></rss>";
  const std::string written = translate(feed, markup::Markup::kXml, [](const std::string& text) { return text; });
  EXPECT_EQ(sentences, (Texts{"Don\u2019t go to S\u00E3o.", "Tom  I"}));
  EXPECT_NE(written.find("&lt;p&gt;Don\u2019t go to S\u00E3o.&lt;/p&gt;"), std::string::npos) << written;
  EXPECT_NE(written.find("&amp;amp; I"), std::string::npos) << written;
}

TEST_F(FormatTranslation, WordsAroundAPatternOfIcuAreTranslatedWithItsForms) {
  const std::string file =
      R"({"a": "See {n, plural,\n one {# day}\n other {# days}\n}", "b": "{% comment %}\nNo.\n{% endcomment %} Yes."})";
  EXPECT_EQ(translate(file, markup::Markup::kJson), file) << "a message without changes stays as it is";
  EXPECT_EQ(sentences, (Texts{"See  day", "See  days", " Yes."}));
}

TEST_F(FormatTranslation, APatternOfIcuThatCannotBeDividedStays) {
  const std::string file = R"({"a": "See '#'{n, plural, one {# day} other {# days}}"})";
  EXPECT_EQ(translate(file, markup::Markup::kJson), file);
  EXPECT_EQ(sentences, (Texts{"See '#'"}));
}

TEST_F(FormatTranslation, PatternsOfIcuInXliffAreDividedIntoForms) {
  const std::string source =
      R"({VAR, plural, =0 {now} other {<x id="START_B"/>two<x id="CLOSE_B"/> &amp;<x id="I"/>days}})";
  const std::string unit = R"(<xliff version="1.2"><trans-unit id="1"><source>)" + source + "</source>";
  EXPECT_EQ(translate(unit + "</trans-unit></xliff>", markup::Markup::kXliff),
            unit + "<target>" + source + "</target></trans-unit></xliff>");
  EXPECT_EQ(sentences, (Texts{"now", "two &days"}));
  const std::string forms = "<xliff version=\"1.2\"><trans-unit><source>{0} none|]1,Inf[ some</source><target>";
  EXPECT_EQ(translate(forms + "</target></trans-unit></xliff>", markup::Markup::kXliff),
            forms + "{0} none|]1,Inf[ some</target></trans-unit></xliff>");
  EXPECT_EQ(sentences, (Texts{"none", "some"}));
  const std::string around =
      "<xliff version=\"1.2\"><trans-unit><source>See {n, plural, other {days}}</source><target>";
  EXPECT_EQ(translate(around + "</target></trans-unit></xliff>", markup::Markup::kXliff),
            around + "{n, plural, other {See days}}</target></trans-unit></xliff>");
}

TEST_F(FormatTranslation, DoubledApostrophesOfPatternsAreSingleForTheModel) {
  const std::string file = R"({"a": "It''s {n, plural, one {a man''s dog} other {# men''s dogs}}", "b": "can''t"})";
  EXPECT_EQ(translate(file, markup::Markup::kJson), file);
  EXPECT_EQ(sentences, (Texts{"It's a man's dog", "It's  men's dogs", "can't"}));
}

TEST_F(FormatTranslation, TheFormsOfAPatternOfIcuAreTextsOfTheirOwn) {
  const std::string file = R"({"a": "{n, plural,\n one {one day in {x}}\n other {the days}\n}"})";
  EXPECT_EQ(translate(file, markup::Markup::kJson), file);
  EXPECT_EQ(sentences, (Texts{"one day in ", "the days"}));
}

TEST_F(FormatTranslation, RaisedEndsOfWordsLoseTheirTags) {
  EXPECT_EQ(translate("<p>In the 19<sup>th</sup> century</p>", markup::Markup::kHtml), "<p>In the 19th century</p>");
  EXPECT_EQ(translate("<p><span class=\"dropcap\">I</span>n the 19th</p>", markup::Markup::kHtml),
            "<p>In the 19th</p>");
  EXPECT_EQ(translate("<p>M<sup>lle</sup> <b>runs</b></p>", markup::Markup::kXml), "<p>Mlle <b>runs</b></p>");
  const std::string formulas =
      translate("<p>the x<sub>i,j</sub> and a<sup>b+c</sup> of K<sub>M</sub></p>", markup::Markup::kHtml);
  for (const char* formula : {"x<sub>i,j</sub>", "a<sup>b+c</sup>", "K<sub>M</sub>"}) {
    EXPECT_EQ(test::count_of(formulas, formula), 1U) << formulas;
  }
  EXPECT_EQ(translate("<p>2<sup>nd</sup></p>", markup::Markup::kHtml), "<p>2nd</p>");
}

TEST_F(FormatTranslation, PairsOfTemplatesBesideEachOtherAreTextsInAllFormats) {
  const std::string text = "{% if a %}For members{% endif %}{% if b %}For guests{% endif %}";
  const std::string go = "{{ if .A }}For members{{ end }} {{ with .B }}For guests{{ end }}";
  for (const std::string& pairs : {text, go}) {
    for (const auto& [markup, document] : std::vector<std::pair<markup::Markup, std::string>>{
             {markup::Markup::kHtml, "<p>" + pairs + "</p>"},
             {markup::Markup::kMarkdown, pairs + "\n"},
             {markup::Markup::kJson, R"({"a": ")" + pairs + "\"}"},
             {markup::Markup::kYaml, "a: '" + pairs + "'\n"},
             {markup::Markup::kPo, "msgid \"" + pairs + "\"\nmsgstr \"\"\n"}}) {
      translate(document, markup);
      EXPECT_EQ(sentences, (Texts{"For members", "For guests"})) << document;
    }
  }
}

TEST_F(FormatTranslation, TheUnitOfAValueOfATemplateStaysWithIt) {
  for (const auto markup : {markup::Markup::kHtml, markup::Markup::kMarkdown}) {
    EXPECT_NE(translate("Wait {{ h }}s here\n", markup).find(" {{ h }}s here"), std::string::npos);
    EXPECT_EQ(sentences, (Texts{"Wait  here"}));
  }
}

TEST_F(FormatTranslation, NumbersOfAQuizStay) {
  const std::string quiz = "<quiz><text>What is {a} + {b}?</text></quiz>";
  EXPECT_EQ(translate(quiz, markup::Markup::kXml), quiz);
  EXPECT_EQ(sentences, (Texts{"What is ?"}));
}

TEST_F(FormatTranslation, WordsInAngleBracketsOfMessagesStayInThem) {
  const auto written = [&](const std::string& text, const Change& change) {
    const std::string file = translate("a=" + text + "\n", markup::Markup::kProperties, change);
    return file.substr(2, file.size() - 3);
  };
  EXPECT_EQ(written("<No selection>", [](const std::string&) { return "Keine Auswahl"; }), "<Keine Auswahl>");
  EXPECT_EQ(written("Hello <your name>", [](const std::string&) { return "Hallo"; }), "<Hallo>") << "no word is linked";
  EXPECT_EQ(written("<none>", [](const std::string&) { return "x"; }), "<none>");
  EXPECT_EQ(written("<source> is <in the way>", unchanged), "<source> is <in the way>");
  translate(
      "<xliff version=\"1.2\"><file><body><trans-unit id=\"1\"><source>see <x id=\"1\"/> and &lt;the words&gt; "
      "</source></trans-unit></body></file></xliff>",
      markup::Markup::kXliff);
  EXPECT_EQ(sentences, Texts{"see  and "}) << "beside tags, they are one placeholder";
}

std::string capitals(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return text;
}

TEST_F(FormatTranslation, FormsOfIcuAreTranslatedInResourcesOfAndroid) {
  const std::string begin = "<resources><string name=\"a\">", end = "</string></resources>";
  const auto changed = [&](const std::string& text) {
    return translate(begin + text + end, markup::Markup::kAndroid, capitals);
  };
  EXPECT_EQ(changed("{n, plural, one {a day\\'s walk} other {more days}}"),
            begin + "{n, plural, one {A DAY\\'S WALK} other {MORE DAYS}}" + end);
  EXPECT_EQ(changed("the dog|a cat"), begin + "THE DOG|A CAT" + end) << "bars divide no forms";
}

TEST_F(FormatTranslation, AddressesStayInAllMarkedUpDocuments) {
  options.placeholders = "";
  const std::string changed =
      translate("<p>see https://x.com/Docs/a.html or <a href=\"mailto:jo@x.com\">jo@x.com</a></p>",
                markup::Markup::kHtml, capitals);
  for (const char* kept : {"SEE", "https://x.com/Docs/a.html", ">jo@x.com</a>"}) {
    EXPECT_NE(changed.find(kept), std::string::npos) << changed;
  }
}

TEST_F(FormatTranslation, AddressesWithPlaceholdersStayInMessages) {
  for (const std::string address : {"{{site_url}}/unsubscribe?id={{id}}", "{user}@example.com", "%s/users/%s/edit",
                                    "support@{domain}.com", "<?= $base ?>/login.php", "backup_%1$s.zip"}) {
    const std::string changed = translate(R"({"a": "see )" + address + R"( now"})", markup::Markup::kJson, capitals);
    EXPECT_NE(changed.find(" " + address + " "), std::string::npos) << changed;
  }
}

TEST_F(FormatTranslation, CodeOfGroffInACatalogueStaysAroundItsWords) {
  for (const auto& [message, expected] :
       {std::pair(R"(the \\fBbig dog\\fR and \\(aqcats\\(aq)", R"(THE \\fBBIG DOG\\fR AND \\(aqCATS\\(aq)"),
        {R"(see \\fI/etc/a\\fR now)", R"(SEE  \\fI/etc/a\\fR NOW)"},
        {".nh", ".nh"}}) {
    const std::string begin = "msgid \"" + std::string(message) + "\"\nmsgstr \"";
    const std::string written = translate("#. type: TH\n" + begin + "\"\n", markup::Markup::kPo, capitals);
    EXPECT_TRUE(written.ends_with(begin + expected + "\"\n")) << written;
  }
  const std::string begin = "msgid \".zip files, don\\\\'t\"\nmsgstr \"";
  EXPECT_TRUE(translate(begin + "\"\n", markup::Markup::kPo, capitals).ends_with(".ZIP FILES, DON\\\\'T\"\n"));
}

TEST_F(FormatTranslation, CodeOfMediaWikiInJsonStays) {
  for (const std::string code :
       {"{{SITENAME}}", "[[Special:Foo|this text]]", "[[:$1]]", "$1", "[[Special:Log/$1|{{PLURAL:$1|a log|logs}}]]"}) {
    EXPECT_EQ(translate("{\"a\": \"it is " + code + " now\"}", markup::Markup::kJson, capitals),
              "{\"a\": \"IT IS  " + code + " NOW\"}");
  }
  translate("{\"@metadata\": {}, \"a\": \"see $2 now\"}", markup::Markup::kJson);
  EXPECT_EQ(sentences, Texts{"see  now"}) << "it needs no $1";
}

TEST_F(FormatTranslation, FormsOfMediaWikiAreTranslated) {
  EXPECT_EQ(translate("{\"a\": \"it is {{PLURAL:{{formatnum:$1}}|a page|pages}} by {{GENDER:$2|him|her}}\"}",
                      markup::Markup::kJson, capitals),
            "{\"a\": \"{{PLURAL:{{formatnum:$1}}|{{GENDER:$2|IT IS A PAGE BY HIM|IT IS A PAGE BY HER}}|"
            "{{GENDER:$2|IT IS PAGES BY HIM|IT IS PAGES BY HER}}}}\"}");
}

TEST_F(FormatTranslation, AReferenceAtTheBeginningOfAResourceHasABackslash) {
  const auto written = [](const std::string& text) {
    const std::string begin = "<resources><string name=\"a\">", end = "</string></resources>";
    const std::string all = test::in_upper_case(begin + text + end, markup::Markup::kAndroid);
    return all.substr(begin.size(), all.size() - begin.size() - end.size());
  };
  for (const std::string text : {R"(\@handle)", R"(\@%1$s)", R"(\?%1$s)"}) EXPECT_EQ(written(text), text);
  EXPECT_EQ(written(R"(\@handle: A boy sits.)"), R"(\@handle: A BOY SITS.)");
  EXPECT_EQ(written("\n  \\@handle is"), "\n  \\@handle IS");
  EXPECT_EQ(written(R"(<![CDATA[\@handle is]]>)"), R"(<![CDATA[\@handle IS]]>)");
}

}  // namespace
}  // namespace ventris::documents

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <tuple>

#include "documents/document_translator.h"
#include "markup/html_token.h"
#include "markup/markdown_events.h"
#include "markup/markdown_structure.h"
#include "support/document_run.h"

/// Documents that are drawn from a grammar, and translated by a model that loses, repeats and exchanges words. The
/// environment variable VENTRIS_DRAWN_DOCUMENTS says how many of each kind; VENTRIS_FIRST_DRAWN is the number of the
/// first. A number always gives the same document.
namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

uint32_t number_from(const char* variable, uint32_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : static_cast<uint32_t>(std::strtoul(value, nullptr, 10));
}

/// Draws the parts of a document.
class Drawer {
 public:
  explicit Drawer(uint32_t seed) : draw_(seed) {}

  size_t below(size_t end) { return draw_() % end; }
  const std::string& one_of(const Texts& texts) { return texts[below(texts.size())]; }

  /// Text, placeholders and characters that are taken for signs of ours.
  std::string words() {
    static const Texts kWords{"Nobody ",      "sees", "bread",  " likes ", ". ",    "! ",        ", ",   "Tom ",
                              "{0}",          "%s",   "%(n)d ", "a@",      "x.org", "http://a.", "b/c ", "\uFFFC",
                              "\uFFFC\uFFFC", "{a",   "}",      "john",    "@ex",   "ample.",    "com",  "\u4F60",
                              "\u00FCber ",   "5 ",   "www.",   "__X__",   " :n ",  "\\n",       "$a "};
    std::string text;
    for (size_t left = below(6); left > 0; --left) text += one_of(kWords);
    return text;
  }

  std::string element(const Texts& names, bool xml, int depth) {
    const std::string name = one_of(names);
    if (below(8) == 0) return xml ? "<" + name + "/>" : "<br>";
    return "<" + name + (below(4) == 0 ? " a=\"x > {0}\"" : "") + ">" + content(names, xml, depth) + "</" + name + ">";
  }
  std::string content(const Texts& names, bool xml, int depth) {
    std::string text;
    for (size_t left = below(5); left > 0; --left) {
      const size_t kind = below(8);
      text += kind < 4 || depth == 0 ? words()
              : kind == 4            ? "&amp;"
              : kind == 5            ? "<!-- {0} -->"
                                     : element(names, xml, depth - 1);
    }
    return text;
  }

  std::string markdown() {
    static const Texts kSigns{"*",
                              "**",
                              "_",
                              "`",
                              "``",
                              "~~",
                              "[",
                              "](u`v)",
                              "](u)",
                              "![",
                              "[r]",
                              "\n",
                              "\n\n",
                              "\n- ",
                              "> ",
                              "\n# ",
                              "1. ",
                              "<b>",
                              "</b>",
                              "<br>",
                              "&lt;",
                              "\\*",
                              "\\`",
                              "<script>",
                              "| ",
                              "[^1]",
                              "[Nobody]",
                              "$",
                              "$a_b$",
                              "$$",
                              "\n$$\n",
                              "\\(",
                              "\\)",
                              "\n:::x\n",
                              "\n: ",
                              "[[",
                              "]]",
                              "{#a}",
                              "{{",
                              "}}",
                              "\n!!! x\n    ",
                              "`<script>`",
                              "  \n",
                              "\n\n[Nobody]: /u 't'\n\n",
                              "*`*`",
                              "www\\.a.b ",
                              "\n|a|b|\n|-|-|\n|"};
    std::string text;
    for (size_t left = below(14); left > 0; --left) text += below(2) == 0 ? words() : one_of(kSigns);
    return text;
  }

 private:
  std::mt19937 draw_;
};

/// A model is opened once for each kind of options, because this takes longer than a translation.
std::string carelessly_translated(const std::string& document, Markup markup, uint32_t number) {
  static uint32_t seed = 0;
  static std::map<std::tuple<Markup, bool, bool>, std::unique_ptr<test::TableDocuments>> translators;
  auto& translator = translators[{markup, number % 2 == 0, number % 3 == 0}];
  if (!translator) {
    DocumentOptions options;
    options.markup = markup;
    options.placeholders = number % 2 == 0 ? "builtin" : "";
    options.split_sentences = number % 3 == 0;
    const int32_t vocab = test::info_of(test::copying_package()).vocab;
    translator =
        std::make_unique<test::TableDocuments>(options, [vocab](const test::Ids& source, const test::Ids& prefix) {
          return test::careless_table(vocab, seed)(source, prefix);
        });
  }
  seed = number;
  return translator->answers_to({document}).front().translation.text();
}

/// The tags and comments of a document, sorted.
Texts tags_of(const std::string& document) {
  Texts tags;
  for (size_t at = 0; at < document.size();) {
    const markup::HtmlToken token = markup::html_token(document, at);
    if (token.kind != markup::HtmlToken::Kind::kText) tags.push_back(document.substr(at, token.range.end - at));
    at = token.range.end;
    if (token.kind == markup::HtmlToken::Kind::kStartTag) at = markup::end_of_raw_text(document, at, token.name);
  }
  std::ranges::sort(tags);
  return tags;
}

/// The elements whose end tag is not that of the last open one.
size_t wrongly_nested(const std::string& document) {
  Texts open;
  size_t wrong = 0;
  for (size_t at = 0; at < document.size();) {
    const markup::HtmlToken token = markup::html_token(document, at);
    at = token.range.end;
    if (!token.is_tag() || token.self_closing || markup::is_void_element(token.name)) continue;
    if (token.kind == markup::HtmlToken::Kind::kStartTag) {
      open.push_back(token.name);
    } else if (!open.empty() && open.back() == token.name) {
      open.pop_back();
    } else {
      ++wrong;
    }
  }
  return wrong + open.size();
}

template <typename Check>
void for_drawn_documents(uint32_t usual, const Check& check) {
  const uint32_t first = number_from("VENTRIS_FIRST_DRAWN", 1), many = number_from("VENTRIS_DRAWN_DOCUMENTS", usual);
  for (uint32_t number = first; number < first + many && !testing::Test::HasFailure(); ++number) {
    Drawer drawer(number);
    check(drawer, number);
  }
}

TEST(DrawnDocuments, HtmlKeepsItsTagsAndTheirNesting) {
  for_drawn_documents(300, [](Drawer& drawer, uint32_t number) {
    const std::string page = drawer.content({"p", "b", "i", "a", "div", "code", "span", "li"}, false, 4);
    const std::string result = carelessly_translated(page, Markup::kHtml, number);
    ASSERT_EQ(tags_of(result), tags_of(page)) << number << ": " << page << "\nbecame " << result;
    ASSERT_EQ(wrongly_nested(result), 0U) << number << ": " << page << "\nbecame " << result;
    ASSERT_EQ(test::count_of(result, "\uFFFC"), test::count_of(page, "\uFFFC"))
        << number << ": " << page << "\nbecame " << result;
  });
}

TEST(DrawnDocuments, AnyTagsOfHtmlComeBack) {
  static const Texts kPieces{"<b>",
                             "</b>",
                             "<i>",
                             "</i>",
                             "<p>",
                             "</p>",
                             "<code>",
                             "</code>",
                             "<br>",
                             "<!-- x -->",
                             "<svg>",
                             "</svg>",
                             "<math><mi>x</mi></math>",
                             "<a b='>'>",
                             "</a>",
                             "<title>",
                             "</title>",
                             "<span translate=no>",
                             "</span>",
                             "<script>",
                             "</script>",
                             "<td>",
                             "<x>",
                             "</>",
                             "<?y?>",
                             "&amp;",
                             "&",
                             "<",
                             ">"};
  for_drawn_documents(300, [](Drawer& drawer, uint32_t number) {
    std::string page;
    for (size_t left = drawer.below(16); left > 0; --left) {
      page += drawer.below(2) == 0 ? drawer.words() : drawer.one_of(kPieces);
    }
    const std::string result = carelessly_translated(page, Markup::kHtml, number);
    ASSERT_EQ(test::count_of(result, "\uFFFC"), test::count_of(page, "\uFFFC"))
        << number << ": " << page << "\nbecame " << result;
    // A page need not have the end tag of an <svg>. Whether a later <script> has tags then depends on the order of
    // tags.
    if (page.find("svg>") != std::string::npos) return;
    ASSERT_EQ(tags_of(result), tags_of(page)) << number << ": " << page << "\nbecame " << result;
  });
}

TEST(DrawnDocuments, XmlStaysWellFormedWithTheSameTags) {
  for_drawn_documents(300, [](Drawer& drawer, uint32_t number) {
    const std::string page = "<doc>" + drawer.content({"a", "b", "c", "d"}, true, 5) + "</doc>";
    const std::string result = carelessly_translated(page, Markup::kXml, number);
    ASSERT_NO_THROW(markup::parse_markup(result, Markup::kXml)) << number << ": " << page << "\nbecame " << result;
    ASSERT_EQ(tags_of(result), tags_of(page)) << number << ": " << page << "\nbecame " << result;
    ASSERT_EQ(test::count_of(result, "\uFFFC"), test::count_of(page, "\uFFFC"))
        << number << ": " << page << "\nbecame " << result;
  });
}

/// The targets of all links, sorted, and how many of these links have no text.
std::pair<std::vector<uint64_t>, size_t> links_of(const std::string& page) {
  std::vector<uint64_t> targets;
  size_t empty = 0, content = 0;
  for (const markup::MarkdownEvent& event : markup::markdown_events(page)) {
    const bool link = event.span == markup::MarkdownEvent::Span::kLink;
    if (link && event.kind == markup::MarkdownEvent::Kind::kOpen) {
      targets.push_back(event.digest);
      content = 0;
    } else if (link) {
      empty += content == 0 ? 1 : 0;
    } else {
      ++content;
    }
  }
  std::ranges::sort(targets);
  return {targets, empty};
}

TEST(DrawnDocuments, MarkdownKeepsItsBlocksAndWhatIsInThemAndHasNoLinkThatIsNewOrLosesOnlyItsText) {
  for_drawn_documents(600, [](Drawer& drawer, uint32_t number) {
    const std::string page = drawer.markdown();
    const std::string result = carelessly_translated(page, Markup::kMarkdown, number);
    const auto before = markup::markdown_leaves(page), after = markup::markdown_leaves(result);
    ASSERT_EQ(before.size(), after.size()) << number << ": " << page << "\nbecame " << result;
    for (size_t i = 0; i < before.size(); ++i) {
      const uint64_t difference = after[i].characters - before[i].characters;
      const uint64_t left_out = before[i].links - after[i].links;
      ASSERT_TRUE(before[i].may_become(after[i], difference, left_out))
          << number << ": " << page << "\nbecame " << result;
    }
    const auto [links_before, empty_before] = links_of(page);
    const auto [links_after, empty_after] = links_of(result);
    ASSERT_TRUE(std::ranges::includes(links_before, links_after)) << number << ": " << page << "\nbecame " << result;
    ASSERT_LE(empty_after, empty_before) << number << ": " << page << "\nbecame " << result;
  });
}

TEST(DrawnDocuments, PlaceholdersInALineComeBackOnceEach) {
  for_drawn_documents(600, [](Drawer& drawer, uint32_t number) {
    const std::string line = drawer.words() + drawer.words() + drawer.words();
    const std::string result = carelessly_translated(line, Markup::kNone, 2 * number);
    const Placeholders builtin("builtin");
    for (const ByteRange& range : builtin.find(line)) {
      const std::string one = line.substr(range.begin, range.end - range.begin);
      ASSERT_GE(test::count_of(result, one), 1U) << number << ": " << line << "\nbecame " << result;
    }
    ASSERT_EQ(test::count_of(result, "\uFFFC"), test::count_of(line, "\uFFFC"))
        << number << ": " << line << "\nbecame " << result;
  });
}

}  // namespace
}  // namespace ventris::documents

#include "markup/template_pairs.h"

#include <gtest/gtest.h>

#include "markup/markdown.h"

namespace ventris::markup {
namespace {

/// The text with "(" and ")" for marks, "." for those alone, and "*" for objects.
std::string shown_marks(const std::string& document) {
  const MarkedText text = parse_markdown(document).blocks.at(0).text;
  std::string shown = text.text;
  for (auto mark = text.marks.rbegin(); mark != text.marks.rend(); ++mark) {
    shown.insert(mark->at, mark->kind == Mark::Kind::kOpen ? "(" : mark->kind == Mark::Kind::kClose ? ")" : ".");
  }
  for (size_t at = shown.find(kObject); at != std::string::npos; at = shown.find(kObject)) {
    shown.replace(at, kObject.size(), "*");
  }
  return shown;
}

TEST(TemplatePairs, TagsOfManyTemplatesHaveEnds) {
  using TagKind = TemplateTag::Kind;
  for (const auto& [start, end] : std::vector<std::pair<std::string, std::string>>{{"{% if a %}", "{% endif %}"},
                                                                                   {"{%- if a -%}", "{%- endif -%}"},
                                                                                   {"{{#if a}}", "{{/if}}"},
                                                                                   {"{{~#if a~}}", "{{~/if~}}"},
                                                                                   {"{{$if}}", "{{/if}}"},
                                                                                   {"{{^if}}", "{{/if}}"},
                                                                                   {"{{< if a >}}", "{{< /if >}}"},
                                                                                   {"{if}", "{/if}"}}) {
    EXPECT_EQ(read_template_tag(start).kind, TagKind::kStart) << start;
    EXPECT_EQ(read_template_tag(end).kind, TagKind::kEnd) << end;
    EXPECT_EQ(read_template_tag(start).name, "if") << start;
    EXPECT_EQ(read_template_tag(end).name, "if") << end;
  }
  for (const std::string raw : {"{{ a }}", "{}", "{0:x}", "{a b}", "`a`", "%s", "", "{", "{%%}", "{{#}}"}) {
    EXPECT_EQ(read_template_tag(raw).kind, TagKind::kNone) << raw;
  }
}

TEST(TemplatePairs, SectionsOfGoHaveOneEnd) {
  for (const std::string start :
       {"{{if .A}}", "{{- range $i, $a := .B -}}", "{{ with (f 1) }}", "{{ block \"a\" . }}"}) {
    EXPECT_EQ(read_template_tag(start).kind, TemplateTag::Kind::kStart) << start;
    EXPECT_EQ(read_template_tag(start).name, read_template_tag("{{- end -}}").name) << start;
    EXPECT_TRUE(is_go_section(start)) << start;
  }
  EXPECT_EQ(read_template_tag("{{end}}").kind, TemplateTag::Kind::kEnd);
  for (const std::string raw : {"{{ block }}", "{{ range | first }}", "{{ with-x }}", "{{ ending }}", "{{ end.a }}",
                                "{{ end", "{{", "{ if .A }", "{{ if", "{{ if }}"}) {
    EXPECT_FALSE(is_go_section(raw)) << raw;
  }
}

TEST(TemplatePairs, PairsAroundWordsAreMarks) {
  EXPECT_EQ(shown_marks("His eyes {% if x %}have hurt{% endif %} now"), "His eyes (have hurt) now");
  EXPECT_EQ(shown_marks("a {{< b >}}c {{#d}}e{{/d}} f{{< /b >}} g"), "a (c (e) f) g");
  EXPECT_EQ(shown_marks("a **{% b %}c{% endb %}** d"), "a ((c)) d");
  EXPECT_EQ(shown_marks("a {{ if .A }}b {{ with .C }}d{{ end }}{{ end }} e"), "a (b (d)) e");
}

TEST(TemplatePairs, TheEndOfAWordStaysWithIt) {
  const auto texts = [](const std::string& document) {
    const MarkedText text = parse_markup(document, Markup::kHtml).blocks.front().text;
    return text.text + "|" + (text.objects.empty() ? "" : text.objects.front().raw);
  };
  EXPECT_EQ(texts("<p>3 item{% if n != 1 %}s{% endif %} here</p>"), "3 item\uFFFC here|{% if n != 1 %}s{% endif %}");
  EXPECT_EQ(texts("<p>3 item {% if n != 1 %}more{% endif %} here</p>"), "3 item more here|");
  EXPECT_EQ(texts("<p>3 item{% if n != 1 %} and more{% endif %} here</p>"), "3 item and more here|");
}

TEST(TemplatePairs, TagsThatTouchAreFoundOneByOne) {
  EXPECT_EQ(sizes_of_tags("{% a %}{{ b }}{{{c}}}"), (std::vector<size_t>{7, 7, 7}));
  for (const std::string raw : {"{% a %} {% b %}", "{% a %}b", "{% a", "`a`", "", "{a}"}) {
    EXPECT_TRUE(sizes_of_tags(raw).empty()) << raw;
  }
  EXPECT_EQ(shown_marks("a {% b %}c{% endb %}{% d %}e{% endd %}{{ f }}"), "a (c)(e)*");
  EXPECT_EQ(shown_marks("a {{#b}}{{#c}}d{{/c}}{{/b}} e"), "a ((d)) e");
  EXPECT_EQ(shown_marks("a {% b %}{{ c }}{% endb %} d"), "a * d") << "one object, as it was";
}

TEST(TemplatePairs, OthersStayObjects) {
  EXPECT_EQ(shown_marks("a {% b %} c {% d %} e"), "a * c * e") << "without ends";
  EXPECT_EQ(shown_marks("a {% b %} {% endb %} c"), "a * * c") << "without words";
  EXPECT_EQ(shown_marks("a {% b %}c **d {% endb %}e** f"), "a *c (d *e) f") << "across another pair";
  EXPECT_EQ(shown_marks("a {{/b}} c {{#b}} d"), "a * c * d");
}

TEST(TemplatePairs, ChangesOfCriticMarkupArePairs) {
  EXPECT_EQ(shown_marks("a {++b++} {--c--}{++d++} {==e==}{>>f<<}"), "a (b) (c)(d) (e)*");
}

}  // namespace
}  // namespace ventris::markup

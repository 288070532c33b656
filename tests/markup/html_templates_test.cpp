#include "markup/html_templates.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

/// All templates; "#" in front of those that are comments.
Texts templates_in(const std::string& document) {
  HtmlTemplates templates(document);
  Texts all;
  size_t at = 0;
  while (const auto found = templates.next(at)) {
    all.push_back((found->comment ? "#" : "") +
                  document.substr(found->range.begin, found->range.end - found->range.begin));
    at = found->range.end;
  }
  return all;
}

TEST(HtmlTemplates, TagsOfAllKindsAreFound) {
  EXPECT_EQ(templates_in("a {{ b && c }} {% if d > 0 %} <%= e %> <% f %> <?= $g ?> <?php echo 1 > 0; ?>."),
            (Texts{"{{ b && c }}", "{% if d > 0 %}", "<%= e %>", "<% f %>", "<?= $g ?>", "<?php echo 1 > 0; ?>"}));
  EXPECT_EQ(templates_in("{{{ raw }}}"), Texts{"{{{ raw }}}"});
  EXPECT_EQ(templates_in("<?php echo 1;"), Texts{"<?php echo 1;"}) << "PHP needs no end";
}

TEST(HtmlTemplates, CommentsAndCodeHaveTheirContent) {
  EXPECT_EQ(templates_in("{# note #}{% comment %}a {{ b }}{% endcomment %}c"),
            (Texts{"#{# note #}", "#{% comment %}a {{ b }}{% endcomment %}"}));
  EXPECT_EQ(templates_in("{% raw %}{{ a }}{% endraw %}"), Texts{"{% raw %}{{ a }}{% endraw %}"});
  EXPECT_EQ(templates_in("{% raw %}{{ a }}"), (Texts{"{% raw %}", "{{ a }}"}));
}

TEST(HtmlTemplates, ShortcodesOfCodeAreFoundBesideTemplates) {
  const std::string document = "{{ a }} [code]{{ b }}[/code] {{ c }} [js]d[/js]";
  Texts all;
  for (const HtmlTemplate& found : find_templates(document)) {
    all.push_back(document.substr(found.range.begin, found.range.end - found.range.begin));
  }
  EXPECT_EQ(all, (Texts{"{{ a }}", "[code]{{ b }}[/code]", "{{ c }}", "[js]d[/js]"}));
}

TEST(HtmlTemplates, CodeOfLiquidBelongsToItsTags) {
  const std::string code = "{% schema %}{\"name\": \"Old\"}{% endschema %}", style = "{%- style -%}a{}{%- endstyle -%}";
  EXPECT_EQ(templates_in(code + "a" + style), (Texts{code, style}));
}

TEST(HtmlTemplates, CommentsMayHaveLinesAndTags) {
  EXPECT_EQ(templates_in("{#- a\n<p>b</p>\n-#}c{#\nd #}"), (Texts{"#{#- a\n<p>b</p>\n-#}", "#{#\nd #}"}));
}

TEST(HtmlTemplates, TagsOfHtmlInQuotationsAreAPartOfTheCode) {
  EXPECT_EQ(templates_in("{% translate \"The <em>dog</em>\" %}a{{ b|default('<br>') }}"),
            (Texts{"{% translate \"The <em>dog</em>\" %}", "{{ b|default('<br>') }}"}));
}

TEST(HtmlTemplates, WhatDoesNotEndOrIsEmptyIsText) {
  for (const std::string text :
       {"{{", "{{ a", "{% a }}", "{{}}", "{#anchor}", "{# a\n", "<%", "a { b }", "<?xml ?>", "{{</code> a <code>}}",
        "<!-- {{ a --><p>b }}</p>", "if(a){{b()}c()}</script>}}", "<!-- <?php --><p>a</p>"}) {
    EXPECT_EQ(templates_in(text), Texts{}) << text;
  }
  EXPECT_EQ(templates_in("{{ a {% b %}"), Texts{"{% b %}"});
}

TEST(HtmlTemplates, ManyBeginningsWithoutAnEndAreReadInLinearTime) {
  for (const std::string part : {"{{", "{%", "{#", "<%", "<?php ", "{% raw %}", "{% raw %}{% ", "{% comment"}) {
    std::string document;
    while (document.size() < 2'000'000) document += part;
    templates_in(document);
    templates_in(document + "%}");
  }
}

}  // namespace
}  // namespace ventris::markup

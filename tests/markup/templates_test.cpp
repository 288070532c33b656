#include "markup/templates.h"

#include <gtest/gtest.h>

#include "markup/extension_texts.h"

namespace ventris::markup {
namespace {

TEST(Templates, TemplatesInTargetsAreAPartOfTheirLinks) {
  const std::string document = "a [b]({{ site.url }}/x) ![c]({% link d.md %}) [e]\n\n[e]: {{ site.url }}/y\n";
  EXPECT_EQ(extensions(document), Texts{});
  const MarkdownReading reading = read_markdown(document);
  int links = 0, images = 0;
  std::string text;
  for (const MarkdownEvent& event : reading.events) {
    links += event.kind == MarkdownEvent::Kind::kOpen && event.span == MarkdownEvent::Span::kLink ? 1 : 0;
    images += event.kind == MarkdownEvent::Kind::kOpen && event.span == MarkdownEvent::Span::kImage ? 1 : 0;
    text += event.text;
  }
  EXPECT_EQ(links, 2);
  EXPECT_EQ(images, 1);
  EXPECT_EQ(text, "a b c e");
}

TEST(Templates, TemplatesHaveBracesAndLinesInside) {
  EXPECT_EQ(extensions("The {{{ body }}} and {{ {a: {b: 1}} }} here"), (Texts{"{{{ body }}}", "{{ {a: {b: 1}} }}"}));
  for (const std::string text :
       {"{% include a.html\n   title=\"The dog plays\"\n   b=\"x\" %}", "{{< figure src=\"/a.png\"\n   title=\"x\" >}}",
        "{{ x\n| upcase }}", "{% highlight c %}int x{% endhighlight %}",
        "{%- comment -%} the dog {%- endcomment -%}"}) {
    EXPECT_EQ(extensions("a " + text + " b"), Texts{text});
  }
  EXPECT_EQ(extensions("Write {{ to open. And\nwrite }} to close."), Texts{});
}

TEST(Templates, TagsOfActionsAndOfErbAreFound) {
  EXPECT_EQ(extensions("Set ${{ secrets.A_B }} for <%= user.name %> and <% if a %>this<% end %>"),
            (Texts{"${{ secrets.A_B }}", "<%= user.name %>", "<% if a %>", "<% end %>"}));
  EXPECT_EQ(extensions("a <% b or 5 <%"), Texts{});
}

}  // namespace
}  // namespace ventris::markup

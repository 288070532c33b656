#include "documents/tag_placeholders.h"

#include <gtest/gtest.h>

#include "support/found_placeholders.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

TEST(TagPlaceholders, TemplatesOfErb) {
  EXPECT_EQ(found_in("Dear <%= user.name %>, <% if a > b %>hello<% end %>"),
            (Texts{"<%= user.name %>", "<% if a > b %>", "<% end %>"}));
  EXPECT_EQ(found_in("a <% b"), Texts{});
}

TEST(TagPlaceholders, UsersAndChannelsOfSlack) {
  EXPECT_EQ(found_in("Hi <@U1>, see <#C1|general> <!here>"), (Texts{"<@U1>", "<#C1|general>", "<!here>"}));
  EXPECT_EQ(found_in("a <# b> <#a b>"), Texts{});
}

TEST(TagPlaceholders, NumberedTagsAndLinksToMessages) {
  EXPECT_EQ(found_in("<0>A man</0> with <1/>two <2 />dogs <12>x"), (Texts{
                                                                       "<0>",
                                                                       "</0>",
                                                                       "<1/>",
                                                                       "<2 />",
                                                                       "<12>",
                                                                   }));
  EXPECT_EQ(found_in("x <3, 2 <5 and 7> 3, <0.5> </1/> <1a> <2"), Texts{});
  EXPECT_EQ(found_in("@:common.men and @:home-page.title. @.lower:men, @:{'a b'} @:(men)s"),
            (Texts{"@:common.men", "@:home-page.title", "@.lower:men", "@:{'a b'}", "@:(men)"}));
  EXPECT_EQ(found_in("me.too{'@'}example.com. Follow {'@'}name, a {'{'}b"),
            (Texts{"me.too{'@'}example.com", "{'@'}name", "{'{'}"}));
  EXPECT_EQ(found_in("at @: here, @:) @.: x @:. @:{} @"), Texts{"{}"});
}

TEST(TagPlaceholders, NestedPartsOfItstool) {
  EXPECT_EQ(found_in("Click the <_:media-1/> icon"), Texts{"<_:media-1/>"});
}

TEST(TagPlaceholders, TagsAndAddresses) {
  EXPECT_EQ(found_in("<b class=\"x\">a</b><br/> 2 < 3 > 1 <3"), (Texts{"<b class=\"x\">", "</b>", "<br/>"}));
  EXPECT_EQ(found_in("https://a.org/{id}/x?y=%20 me@x.org"), (Texts{"https://a.org/{id}/x?y=%20", "me@x.org"}));
}

TEST(TagPlaceholders, OnlyTheAttributesOfATagSayWhatIsTranslated) {
  for (const std::string text : {"<span class=\"notranslated\">a</span>", "<i data-translate=\"no\">a</i>",
                                 "<code translate=\"yes\">a</code>", "<a href=\"notranslate\">a</a>"}) {
    EXPECT_EQ(found_in(text).size(), 2U) << text;
  }
  for (const std::string text : {"<b translate='no'>Foo<br>Bar</b>", "<CODE>a</code>", "<kbd>a</kbd >"}) {
    EXPECT_EQ(found_in(text), Texts{text});
  }
}

TEST(TagPlaceholders, OfSeveralWordsInBracketsOnlyTheBracketsAreFound) {
  for (const std::string text : {"<No selection>", "choose <your name>", "<Select a file>", "<it isn't set>, so",
                                 "<Gr\u00F6\u00DFe \u00E4ndern>"}) {
    EXPECT_EQ(found_in(text), (Texts{"<", ">"})) << text;
  }
  for (const std::string text : {"<none>", "<input disabled>", "<Item id=x>", "<a it's>", "<br />"}) {
    EXPECT_EQ(found_in(text), Texts{text});
  }
  EXPECT_EQ(found_in("<Item primary>a</Item>"), (Texts{"<Item primary>", "</Item>"})) << "it has a partner";
  EXPECT_EQ(found_in("a <b is 2> or <c d"), Texts{"<b is 2>"});
}

TEST(TagPlaceholders, CommentsAndMarksOfSectionsAreFound) {
  EXPECT_EQ(found_in("a <!-- more > --> b <!DOCTYPE html>"), (Texts{"<!-- more > -->", "<!DOCTYPE html>"}));
  EXPECT_EQ(found_in("<![CDATA[a [b] c]]>"), (Texts{"<![CDATA[", "]]>"}));
  EXPECT_EQ(found_in("a[b[1]]>2 <! <!-- x"), Texts{});
}

TEST(TagPlaceholders, SignsInQuotedAttributesEndNoTag) {
  for (const std::string text : {"<b onclick=\"go(x => x)\">", "<a title = 'a > b'>", "<i data-x='<p>x</p>' y=z>"}) {
    EXPECT_EQ(found_in(text + "a"), Texts{text});
  }
  EXPECT_EQ(found_in("<a title=\"x> b"), Texts{"<a title=\"x>"}) << "the quotation mark has no partner";
  EXPECT_EQ(found_in("<a it's>"), Texts{"<a it's>"});
}

TEST(TagPlaceholders, TagsThatEscapesWrite) {
  EXPECT_EQ(found_in("a &lt;b&gt;c&lt;/b&gt; &lt;a href=&quot;x y&quot;&gt; &lt;br /&gt; &lt;name&gt;"),
            (Texts{"&lt;b&gt;", "&lt;/b&gt;", "&lt;a href=&quot;x y&quot;&gt;", "&lt;br /&gt;", "&lt;name&gt;"}));
  EXPECT_EQ(found_in("&lt;code&gt;ls x&lt;/code&gt; &lt;kbd&gt;y"),
            (Texts{"&lt;code&gt;ls x&lt;/code&gt;", "&lt;kbd&gt;"}));
  EXPECT_EQ(found_in("a &lt; b &gt; c, &lt;your name&gt;, &lt;b"), (Texts{"&lt;", "&gt;", "&lt;", "&gt;", "&lt;"}));
}

}  // namespace
}  // namespace ventris::documents

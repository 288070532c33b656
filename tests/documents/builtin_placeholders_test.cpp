#include "documents/builtin_placeholders.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of(const std::string& text, const std::vector<ByteRange>& ranges) {
  Texts texts;
  for (const ByteRange& range : ranges) texts.push_back(text.substr(range.begin, range.end - range.begin));
  return texts;
}
Texts found_in(const std::string& text) { return texts_of(text, builtin_placeholders(text)); }
Texts numbers_in(const std::string& text) { return texts_of(text, number_placeholders(text)); }

TEST(BuiltinPlaceholders, BalancedBracesAreOne) {
  EXPECT_EQ(found_in("{} {0} {name} {a.b[0]} {x!r:>10} { name }"),
            (Texts{"{}", "{0}", "{name}", "{a.b[0]}", "{x!r:>10}", "{ name }"}));
  EXPECT_EQ(found_in("{day:%Y-%m-%d %H:%M} {n:{width}.2f}"), (Texts{"{day:%Y-%m-%d %H:%M}", "{n:{width}.2f}"}));
  EXPECT_EQ(found_in("You have {count, plural, one {# day} other {# days}} left"),
            Texts{"{count, plural, one {# day} other {# days}}"});
  EXPECT_EQ(found_in("{g, select, male {He} other {They}} {d, date, short}"),
            (Texts{"{g, select, male {He} other {They}}", "{d, date, short}"}));
  EXPECT_EQ(found_in("{{name}} {{{raw}}} {{#each items as item}} {% if a > b %} {# note #}"),
            (Texts{"{{name}}", "{{{raw}}}", "{{#each items as item}}", "{% if a > b %}", "{# note #}"}));
  EXPECT_EQ(found_in("${name} %{count} #{user.name} ${a + b}"),
            (Texts{"${name}", "%{count}", "#{user.name}", "${a + b}"}));
  EXPECT_EQ(found_in("{a set} {note: see below} {a, b and c} {open {0}"), Texts{"{0}"});
}

TEST(BuiltinPlaceholders, ConversionsOfPrintfPythonAndGo) {
  EXPECT_EQ(found_in("%s %d %5.2f %-3d %+d %05d %*d %.*f %lu %lld %zu %x %p %@ %1$s %2$-5d %'d %v %q"),
            (Texts{"%s", "%d", "%5.2f", "%-3d", "%+d", "%05d", "%*d", "%.*f", "%lu", "%lld", "%zu", "%x", "%p", "%@",
                   "%1$s", "%2$-5d", "%'d", "%v", "%q"}));
  EXPECT_EQ(found_in("%d%s%%, %(name)s %(n)05.2f %<name>s %ds %dMB %.1fkm file%s.txt \u5171%d\u4E2A"),
            (Texts{"%d", "%s", "%%", "%(name)s", "%(n)05.2f", "%<name>s", "%ds", "%dMB", "%.1fkm", "%s", "%d"}));
  EXPECT_EQ(found_in("%[1]d %[2]s, %+[1]d %[3]*.[2]*[1]f %[1]x. [1]d % [5] %[] %[a]d"),
            (Texts{"%[1]d", "%[2]s", "%+[1]d", "%[3]*.[2]*[1]f", "%[1]x", "%[a]d"}));
  EXPECT_EQ(found_in("%I64d %T %t %[name]s %#@var@ %1!s! %1 of %L2, %12. 5%1 %n%d"),
            (Texts{"%I64d", "%T", "%t", "%[name]s", "%#@var@", "%1!s!", "%1", "%L2", "%12", "%n", "%d"}));
  EXPECT_EQ(found_in("100 % sure, 50% discount, 10 % de, 5 % f\u00FCr alle, 50 % d'une, 5%discount, 100%er, 5%."),
            Texts{});
}

TEST(BuiltinPlaceholders, ConversionsOfFewLanguages) {
  EXPECT_EQ(found_in("%,d %1$,d %,.2f %(,.2f %(10d %<s %<tM"),
            (Texts{"%,d", "%1$,d", "%,.2f", "%(,.2f", "%(10d", "%<s", "%<tM"}));
  EXPECT_EQ(found_in("%1% of %2%, %1%%2%. %|1$s| %|-5|"), (Texts{"%1%", "%2%", "%1%", "%2%", "%|1$s|", "%|-5|"}));
  EXPECT_EQ(found_in("%Zd %Zu %Id %Iu %w32d %wf8x %wd %1$*2$d"),
            (Texts{"%Zd", "%Zu", "%Id", "%Iu", "%w32d", "%wf8x", "%wd", "%1$*2$d"}));
  EXPECT_EQ(found_in("%(my name)s %-10<n>s %vd %qD %0:s %1:d %#@a@ %1$#@books@"),
            (Texts{"%(my name)s", "%-10<n>s", "%vd", "%qD", "%0:s", "%1:d", "%#@a@", "%1$#@books@"}));
  EXPECT_EQ(found_in("50%, die 5 %, d'une 10%(a) 100 %(so) %, 7%<8 %1: some 3%|4"), Texts{"%1"});
  for (const std::string text : {"GDP growth in % (2024e)", "Change in % (f)", "5\u00A0% (2024e)", "10%|20%|30%",
                                 "Il 30%(dei voti) e il 20%", "30%(voti) e 5%(f)"}) {
    EXPECT_EQ(found_in(text), Texts{}) << text;
  }
  EXPECT_EQ(found_in("%1%2 and %1%s"), (Texts{"%1", "%2", "%1", "%s"}));
}

TEST(BuiltinPlaceholders, NamesBetweenSignsOfManyFormats) {
  EXPECT_EQ(
      found_in("$NAME$ $name$, %name% %%name%% %user.name% @{name} { $name } { -brand } { $n -> [one] a *[other] b }"),
      (Texts{"$NAME$", "$name$", "%name%", "%%name%%", "%user.name%", "@{name}", "{ $name }", "{ -brand }",
             "{ $n -> [one] a *[other] b }"}));
  EXPECT_EQ(found_in("%lu%s %d%% %lu%% 5%name% %a b% { - a b}"), (Texts{"%lu", "%s", "%d", "%%", "%lu", "%%", "%a"}));
}

TEST(BuiltinPlaceholders, NamesAndEscapes) {
  EXPECT_EQ(found_in("$name :name :smile: __NAME__ __A_B__"),
            (Texts{"$name", ":name", ":smile:", "__NAME__", "__A_B__"}));
  EXPECT_EQ(found_in("See $t(common:more, {\"count\": 2}) and $t (x) $t(open"),
            (Texts{"$t(common:more, {\"count\": 2})", "$t", "$t"}));
  EXPECT_EQ(found_in("$5, US$ 3, a:b, std::max, 12:30, :D, snake_case __x, note: this"), Texts{});
  EXPECT_EQ(found_in("One\\nTwo\\t \\\"x\\\" \\u00e9 \\x1b \\\\ \\0"),
            (Texts{"\\n", "\\t", "\\\"", "\\\"", "\\u00e9", "\\x1b", "\\\\", "\\0"}));
  EXPECT_EQ(found_in("in C:\\new\\table."), Texts{"C:\\new\\table"});
}

TEST(BuiltinPlaceholders, PartsOfDatesAndTimes) {
  EXPECT_EQ(found_in("%Y-%m-%d %B %-d, %Hh%M %-I:%M %p %z %j %^B %A %Y\u5E74"),
            (Texts{"%Y-%m-%d", "%B", "%-d", "%Hh", "%M", "%-I:%M", "%p", "%z", "%j", "%^B", "%A", "%Y"}));
  EXPECT_EQ(found_in("%s:%d %s/%s %s: %d %s. %d"), (Texts{"%s:%d", "%s/%s", "%s", "%d", "%s", "%d"}));
  EXPECT_EQ(found_in("%1$tY %tF %1$te. %TB, a %t b"), (Texts{"%1$tY", "%tF", "%1$te", "%TB", "%t"}));
  EXPECT_EQ(found_in("%w"), Texts{"%w"}) << "an error in Go";
  for (const std::string text : {"50%Y", "50 %B", "5 %RH", "%Young", "% Y", "5 %", "%"})
    EXPECT_EQ(found_in(text), Texts{}) << text;
}

TEST(BuiltinPlaceholders, NamesBetweenDoubledSigns) {
  EXPECT_EQ(found_in("##FIRST_NAME## $$name$$ *|FNAME|* *|LIST:ADDRESS|* \\(user.name) \\(f(x))"),
            (Texts{"##FIRST_NAME##", "$$name$$", "*|FNAME|*", "*|LIST:ADDRESS|*", "\\(user.name)", "\\(f(x))"}));
  for (const std::string text : {"## Title ##", "##", "###a##", "*|", "*|a", "$$", "*a*", "\\()", "\\(a"}) {
    EXPECT_EQ(found_in(text), Texts{}) << text;
  }
}

TEST(BuiltinPlaceholders, CharactersOfHtmlThatAreNoLetters) {
  EXPECT_EQ(found_in("a&nbsp;b &amp; &lt;c&gt; &#160; &#xA0;"),
            (Texts{"&nbsp;", "&amp;", "&lt;", "&gt;", "&#160;", "&#xA0;"}));
  for (const std::string text : {"don&#39;t", "caf&eacute;", "l&rsquo;eau", "a & b; c", "&unknown;", "R&D;", "&"}) {
    EXPECT_EQ(found_in(text), Texts{}) << text;
  }
}

TEST(BuiltinPlaceholders, TemplatesOfErb) {
  EXPECT_EQ(found_in("Dear <%= user.name %>, <% if a > b %>hello<% end %>"),
            (Texts{"<%= user.name %>", "<% if a > b %>", "<% end %>"}));
  EXPECT_EQ(found_in("a <% b"), Texts{});
}

TEST(BuiltinPlaceholders, NumberedTagsAndLinksToMessages) {
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
  EXPECT_EQ(found_in("at @: here, @:) @.: x @:. @:{} @"), Texts{"{}"});
}

TEST(BuiltinPlaceholders, TagsAndAddresses) {
  EXPECT_EQ(found_in("<b class=\"x\">a</b><br/> 2 < 3 > 1 <3"), (Texts{"<b class=\"x\">", "</b>", "<br/>"}));
  EXPECT_EQ(found_in("https://a.org/{id}/x?y=%20 me@x.org"), (Texts{"https://a.org/{id}/x?y=%20", "me@x.org"}));
}

TEST(NumberPlaceholders, AreNumbersThatAreNoPartOfAWord) {
  EXPECT_EQ(numbers_in("7, -3 +4 1,000.50 12:30 \u0663 A4 4th 3.x 1,000abc v1.2"),
            (Texts{"7", "-3", "+4", "1,000.50", "12:30", "\u0663", "3", "1"}));
}

/// With a search from each place, each of these would take minutes or hours.
TEST(BuiltinPlaceholders, LongTextsOfOneKindAreSearchedInOnePass) {
  for (const std::string part :
       {"{",   "}",  "{a",  "{a ", "{{", "{{a} ", "%",  "%(", "%(a", "%(a ", "%(,", "%<",   "%-<a",
        "%|a", "%1", "%1:", "%*1", "% ", "%-",    "<a", "<",  "_",   "__",   "__a", "__a_", "\\",
        "\\u", "$",  "$a",  ":",   ":a", "a",     "a.", "1,", "1",   "{a{",  "{ ",  "C:\\"}) {
    std::string text;
    while (text.size() < 300'000) text += part;
    const std::string closed = text + "x@" + std::string(text.size() / part.size(), '}');
    static_cast<void>(builtin_placeholders(text));
    static_cast<void>(builtin_placeholders(closed));
    static_cast<void>(number_placeholders(text + "x"));
  }
}

TEST(BuiltinPlaceholders, QuotedAndEscapedBracesAreWhole) {
  EXPECT_EQ(found_in("They were '{tired}', '{' and '}'."), (Texts{"'{tired}'", "'{'", "'}'"}));
  EXPECT_EQ(found_in("don't {a}, it's '{b} c', '{d} e {f}'"), (Texts{"{a}", "{b}", "{d}", "{f}"}));
  EXPECT_EQ(found_in("\\{name\\} and \\{ \\}"), (Texts{"\\{name\\}", "\\{", "\\}"}));
}

TEST(BuiltinPlaceholders, CodeOfPhpThymeleafAndLineEndsOfJava) {
  EXPECT_EQ(found_in("a <?= $x > 1 ?> b [[${y}]] c [(${z})] d [[w]]"),
            (Texts{"<?= $x > 1 ?>", "[[${y}]]", "[(${z})]"}));
  EXPECT_EQ(found_in("One.%nTwo %name"), (Texts{"%n", "%name"}));
}

TEST(BuiltinPlaceholders, PatternsWithFormsHaveLettersInTheForms) {
  for (const char* pattern : {"{n, plural, one {# day} other {# days}}", "{x,select,a{one}other{two}}"}) {
    EXPECT_TRUE(has_forms(pattern)) << pattern;
  }
  for (const char* other :
       {"{n}", "{n, number}", "{n, plural}", "{n, plural, other {#}}", "{{a, plural, b {c}}}", "%d", "{plural, a}"}) {
    EXPECT_FALSE(has_forms(other)) << other;
  }
}

TEST(BuiltinPlaceholders, NamesOfDrupalWordPressAndHomeAssistant) {
  EXPECT_EQ(found_in("@name and %userX of %site, @count items (%title)."),
            (Texts{"@name", "%site", "@count", "%title"}));
  EXPECT_EQ(found_in("Howdy ###USERNAME###, ##name## and ### a ###"), (Texts{"###USERNAME###", "##name##"}));
  EXPECT_EQ(found_in("[%key:common::state::off%] now"), Texts{"[%key:common::state::off%]"});
  EXPECT_EQ(found_in("[first_name] [FIRST_NAME] [your-name]"), (Texts{"[first_name]", "[FIRST_NAME]", "[your-name]"}));
  EXPECT_EQ(found_in("a@ b, @ c, a@b, x @1, [co-author], [first_name](u), [Note], [a_], [_a]"), Texts{});
}

TEST(BuiltinPlaceholders, AUnitThatTouchesAPlaceholderBelongsToIt) {
  EXPECT_EQ(found_in("{h}h {m}min, {0}px {size}GB {a}x{b} cm ${w}kg {t}\u00B0C"),
            (Texts{"{h}h", "{m}min", "{0}px", "{size}GB", "{a}x", "{b}", "${w}kg", "{t}\u00B0C"}));
  EXPECT_EQ(found_in("{name}s {n}hours {n}th {n}er"), (Texts{"{name}s", "{n}", "{n}", "{n}"}));
}

TEST(BuiltinPlaceholders, AConversionThatTouchesAnotherWord) {
  EXPECT_EQ(found_in("%sThe end, %s%sHello %@the %dmin %dhours %dbytes %dMiB"),
            (Texts{"%s", "%s", "%s", "%@", "%dmin", "%d", "%d", "%dMiB"}));
  EXPECT_EQ(found_in("2%s 0%d (0%o) 0%.3o"), (Texts{"%s", "%d", "%o", "%.3o"}));
  EXPECT_EQ(found_in("5%discount 50%ige 100%er 20%off 5%Die 30%der"), Texts{});
}

TEST(BuiltinPlaceholders, CodeInElementsAndBackticksIsWhole) {
  EXPECT_EQ(found_in("Run <code>npm i</code> or <kbd class=\"a\">Ctrl</kbd> <b>now</b>"),
            (Texts{"<code>npm i</code>", "<kbd class=\"a\">Ctrl</kbd>", "<b>", "</b>"}));
  EXPECT_EQ(found_in("<span translate=\"no\">A B</span> <i class=\"x notranslate\">c</i>"),
            (Texts{"<span translate=\"no\">A B</span>", "<i class=\"x notranslate\">c</i>"}));
  EXPECT_EQ(found_in("<code>a <code>b</code> <code/> <pre>"), (Texts{"<code>", "<code>b</code>", "<code/>", "<pre>"}));
  EXPECT_EQ(found_in("Run `npm i`, ``a`b`` and `echo 'x'`."), (Texts{"`npm i`", "``a`b``", "`echo 'x'`"}));
  EXPECT_EQ(found_in("`foo' and `bar', a`b`c, ` x `, `, ``, `a\nb`"), Texts{});
  EXPECT_EQ(found_in("`%s' (`%s')"), (Texts{"%s", "%s"})) << "quotation marks of GNU";
  EXPECT_EQ(found_in("```\nnpm test\n```"), Texts{"```\nnpm test\n```"});
}

TEST(BuiltinPlaceholders, OnlyTheAttributesOfATagSayWhatIsTranslated) {
  for (const std::string text : {"<span class=\"notranslated\">a</span>", "<i data-translate=\"no\">a</i>",
                                 "<code translate=\"yes\">a</code>", "<a href=\"notranslate\">a</a>"}) {
    EXPECT_EQ(found_in(text).size(), 2U) << text;
  }
  for (const std::string text : {"<b translate='no'>Foo<br>Bar</b>", "<CODE>a</code>", "<kbd>a</kbd >"}) {
    EXPECT_EQ(found_in(text), Texts{text});
  }
}

TEST(BuiltinPlaceholders, BackticksBesideWordsOfCjkAndInProse) {
  EXPECT_EQ(found_in("\u4F7F\u7528`npm install`\u547D\u4EE4"), Texts{"`npm install`"});
  EXPECT_EQ(found_in("'`' and '`' are equal, a `dog. They` slept"), Texts{});
}

TEST(BuiltinPlaceholders, CodesOfWordPress) {
  EXPECT_EQ(found_in("[contact-form-7 id=\"1\"]"), Texts{"[contact-form-7 id=\"1\"]"});
  EXPECT_EQ(found_in("[gallery ids=\"1,2\"] [button url=\"/a\"]Click[/button]"),
            (Texts{"[gallery ids=\"1,2\"]", "[button url=\"/a\"]", "[/button]"}));
  EXPECT_EQ(found_in("[optional] [see a = b] [a=\"b\"] [link](x) [/link](x) [1a x=\"y\"] [x"), Texts{});
}

TEST(BuiltinPlaceholders, CommentsAndMarksOfSectionsAreFound) {
  EXPECT_EQ(found_in("a <!-- more > --> b <!DOCTYPE html>"), (Texts{"<!-- more > -->", "<!DOCTYPE html>"}));
  EXPECT_EQ(found_in("<![CDATA[a [b] c]]>"), (Texts{"<![CDATA[", "]]>"}));
  EXPECT_EQ(found_in("a[b[1]]>2 <! <!-- x"), Texts{});
}

TEST(BuiltinPlaceholders, SignsInQuotedAttributesEndNoTag) {
  for (const std::string text : {"<b onclick=\"go(x => x)\">", "<a title = 'a > b'>", "<i data-x='<p>x</p>' y=z>"}) {
    EXPECT_EQ(found_in(text + "a"), Texts{text});
  }
  EXPECT_EQ(found_in("<a title=\"x> b"), Texts{"<a title=\"x>"}) << "the quotation mark has no partner";
  EXPECT_EQ(found_in("<a it's>"), Texts{"<a it's>"});
}

TEST(BuiltinPlaceholders, CodesInSquareBracketsThatHaveAnEnd) {
  EXPECT_EQ(found_in("[b]a[/b] [url=http://a.b]c[/url] [x]"), (Texts{"[b]", "[/b]", "[url=http://a.b]", "[/url]"}));
  EXPECT_EQ(found_in("[1] [sic]"), Texts{});
}

TEST(BuiltinPlaceholders, TheSignOfACurrencyBelongsToItsAmount) {
  EXPECT_EQ(found_in("$%.2f \u20ac{price} \u00a3 %d {a}$%s"), (Texts{"$%.2f", "\u20ac{price}", "%d", "{a}", "$%s"}));
}

TEST(BuiltinPlaceholders, VariablesOfPhpTermsOfFluentAndNamesInDoubledBrackets) {
  EXPECT_EQ(found_in("$user->name, $a['b'][0] $c[ { -brand-name } <<name>> a << b"),
            (Texts{"$user->name", "$a['b'][0]", "$c", "{ -brand-name }", "<<name>>"}));
}

}  // namespace
}  // namespace ventris::documents

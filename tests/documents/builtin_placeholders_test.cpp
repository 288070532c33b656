#include "documents/builtin_placeholders.h"

#include <gtest/gtest.h>

#include <string>

#include "support/found_placeholders.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

Texts numbers_in(const std::string& text) {
  Texts numbers;
  for (const ByteRange& range : number_placeholders(text))
    numbers.push_back(text.substr(range.begin, range.end - range.begin));
  return numbers;
}

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
  EXPECT_EQ(found_in("in C:\\Program Files (x86)\\My Game\\a.exe now"),
            Texts{"C:\\Program Files (x86)\\My Game\\a.exe"});
  EXPECT_EQ(found_in("C:\\Temp to the Windows\\g"), Texts{"C:\\Temp"});
  EXPECT_EQ(found_in("C:\\me and then a\\g, D:\\x or E:\\y"), (Texts{"C:\\me", "D:\\x", "E:\\y"}));
}

TEST(BuiltinPlaceholders, IconsNamesOfDrupalAndOfLibreOffice) {
  EXPECT_EQ(found_in("Use the $(sync) icon, prices in $(thousands)"), Texts{"$(sync)"});
  EXPECT_EQ(found_in("Deleted !count by !name. Stop! now, a!bc, !no! !A"), (Texts{"!count", "!name"}));
  EXPECT_EQ(found_in("Quit %PRODUCTNAME now, 50%OFFERED, 50 %OFFERED, %PRODUCTNAMEs, %LONGER%"),
            (Texts{"%PRODUCTNAME", "%LONGER%"}));
}

TEST(BuiltinPlaceholders, NamesBetweenDoubledSigns) {
  EXPECT_EQ(found_in("##FIRST_NAME## $$name$$ *|FNAME|* *|LIST:ADDRESS|* \\(user.name) \\(f(x))"),
            (Texts{"##FIRST_NAME##", "$$name$$", "*|FNAME|*", "*|LIST:ADDRESS|*", "\\(user.name)", "\\(f(x))"}));
  for (const std::string text : {"## Title ##", "##", "###a##", "*|", "*|a", "$$", "*a*", "\\()", "\\(a"}) {
    EXPECT_EQ(found_in(text), Texts{}) << text;
  }
}

TEST(BuiltinPlaceholders, TagsOfMailchimpWithArguments) {
  const std::string text = "*|IF:LANG=en|*a*|END:IF|* *|DATE:d/m/y|* *|INTERESTED:Group:Cats,Two dogs|*";
  EXPECT_EQ(found_in(text),
            (Texts{"*|IF:LANG=en|*", "*|END:IF|*", "*|DATE:d/m/y|*", "*|INTERESTED:Group:Cats,Two dogs|*"}));
  for (const std::string none : {"*|a: b|*", "*|IF:a", "*|IF:a|b|*", "*|IF x|*", "* | A:b|*"}) {
    EXPECT_EQ(found_in(none), Texts{}) << none;
  }
}

TEST(BuiltinPlaceholders, NamesOfMavenOfActOnAndInTwoBrackets) {
  EXPECT_EQ(found_in("Build @buildNumber@ of @project.version@, (@a@)."),
            (Texts{"@buildNumber@", "@project.version@", "@a@"}));
  EXPECT_EQ(found_in("Hi ~Contact.FirstName~ and [[firstname]] [[user.name]]"),
            (Texts{"~Contact.FirstName~", "[[firstname]]", "[[user.name]]"}));
  EXPECT_EQ(found_in("~about~ a~b.c~ @a b@ [[two words]] [[a]](b)"), (Texts{"[", "](b)"}));
}

TEST(BuiltinPlaceholders, TokensOfDrupal) {
  EXPECT_EQ(found_in("Read [node:title] on [site:name], [current-user:display-name]"),
            (Texts{"[node:title]", "[site:name]", "[current-user:display-name]"}));
  EXPECT_EQ(found_in("[note: a dog] [Note:a] [a] [a:]"), Texts{});
}

TEST(BuiltinPlaceholders, IconsOfVsCode) {
  EXPECT_EQ(found_in("$(sync~spin) Syncing $(NAME) $(chevron-right)"),
            (Texts{"$(sync~spin)", "$(NAME)", "$(chevron-right)"}));
  EXPECT_EQ(found_in("$(warning) Careful"), Texts{"$(warning)"});
  EXPECT_EQ(found_in("$(5), $(two words), US$(a), $(), prices in $(thousands)"), Texts{});
}

TEST(BuiltinPlaceholders, CharactersOfHtmlThatAreNoLetters) {
  EXPECT_EQ(found_in("a&nbsp;b &amp; &lt; c &gt; &#160; &#xA0;"),
            (Texts{"&nbsp;", "&amp;", "&lt;", "&gt;", "&#160;", "&#xA0;"}));
  EXPECT_EQ(found_in("The &kate; Handbook, &brandShortName; l&apos;{x}"),
            (Texts{"&kate;", "&brandShortName;", "&apos;", "{x}"}));
  for (const std::string text : {"don&#39;t", "caf&eacute;", "l&rsquo;eau", "a & b; c", "R&D;", "&"}) {
    EXPECT_EQ(found_in(text), Texts{}) << text;
  }
}

TEST(NumberPlaceholders, AreNumbersThatAreNoPartOfAWord) {
  EXPECT_EQ(numbers_in("7, -3 +4 1,000.50 12:30 \u0663 A4 4th 3.x 1,000abc v1.2"),
            (Texts{"7", "-3", "+4", "1,000.50", "12:30", "\u0663", "3", "1"}));
}

/// With a search from each place, each of these would take minutes or hours.
TEST(BuiltinPlaceholders, LongTextsOfOneKindAreSearchedInOnePass) {
  for (const std::string part :
       {"{",     "}",       "{a",   "{a ",  "{{",   "{{a} ", "%",      "%(",   "%(a",          "%(a ",
        "%(,",   "%<",      "%-<a", "%|a",  "%1",   "%1:",   "%*1",    "% ",   "%-",           "<a",
        "<",     "_",       "__",   "__a",  "__a_", "\\",    "\\u",    "$",    "$a",           ":",
        ":a",    "a",       "a.",   "1,",   "1",    "{a{",   "{ ",     "C:\\", "[a](",         "[a](b",
        "^[a](", "%%[",     "*|A:", "&lt;", "$(a",  "@a.",   "~a.",    "[[a",  "[a,fallback=", "&a",
        "&#f",   "\\\\a\\", "*.a",  "a/",   "A_",   "<_:",   "\u00A7a"}) {
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
  EXPECT_EQ(found_in("a <?= $x > 1 ?> b [[${y}]] c [(${z})] d [[w]] [[w x]]"),
            (Texts{"<?= $x > 1 ?>", "[[${y}]]", "[(${z})]", "[[w]]"}));
  EXPECT_EQ(found_in("One.%nTwo %name"), (Texts{"%n", "%name"}));
}

TEST(BuiltinPlaceholders, NamesOfDrupalWordPressAndHomeAssistant) {
  EXPECT_EQ(found_in("@name and %userX of %site, @count items (%title)."),
            (Texts{"@name", "%site", "@count", "%title"}));
  EXPECT_EQ(found_in("Howdy ###USERNAME###, ##name## and ### a ###"), (Texts{"###USERNAME###", "##name##"}));
  EXPECT_EQ(found_in("[%key:common::state::off%] now"), Texts{"[%key:common::state::off%]"});
  EXPECT_EQ(found_in("[first_name] [FIRST_NAME] [your-name]"), (Texts{"[first_name]", "[FIRST_NAME]", "[your-name]"}));
  EXPECT_EQ(found_in("a@ b, @ c, a@b, x @1, [co-author], [Note], [a_], [_a]"), Texts{});
}

TEST(BuiltinPlaceholders, AUnitThatTouchesAPlaceholderBelongsToIt) {
  EXPECT_EQ(found_in("{h}h {m}min, {0}px {size}GB {a}x{b} cm ${w}kg {t}\u00B0C"),
            (Texts{"{h}h", "{m}min", "{0}px", "{size}GB", "{a}x", "{b}", "${w}kg", "{t}\u00B0C"}));
  EXPECT_EQ(found_in("{name}s {n}hours {n}th {n}er"), (Texts{"{name}s", "{n}", "{n}", "{n}"}));
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

TEST(BuiltinPlaceholders, BackticksBesideWordsOfCjkAndInProse) {
  EXPECT_EQ(found_in("\u4F7F\u7528`npm install`\u547D\u4EE4"), Texts{"`npm install`"});
  EXPECT_EQ(found_in("'`' and '`' are equal, a `dog. They` slept"), Texts{});
}

TEST(BuiltinPlaceholders, CodesOfWordPress) {
  EXPECT_EQ(found_in("[contact-form-7 id=\"1\"]"), Texts{"[contact-form-7 id=\"1\"]"});
  EXPECT_EQ(found_in("[gallery ids=\"1,2\"] [button url=\"/a\"]Click[/button]"),
            (Texts{"[gallery ids=\"1,2\"]", "[button url=\"/a\"]", "[/button]"}));
  EXPECT_EQ(found_in("[optional] [see a = b] [a=\"b\"] [1a x=\"y\"] [x"), Texts{});
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

TEST(BuiltinPlaceholders, VariablesOfVelocityMayHaveParts) {
  EXPECT_EQ(found_in("Hello $user.firstName, $order.id. And $name.Then"),
            (Texts{"$user.firstName", "$order.id", "$name"}));
}

TEST(BuiltinPlaceholders, ColoursOfMinecraft) {
  EXPECT_EQ(found_in("&aYou won &l%s&r!"), (Texts{"&a", "&l", "%s", "&r"}));
  EXPECT_EQ(found_in("\u00A7cError &#ff8800Red &7[a]"), (Texts{"\u00A7c", "&#ff8800", "&7"}));
  for (const std::string none :
       {"R&D", "Q&A", "a &b", "a&b=c", "?a=1&b=2", "rock &roll", "\u00A7 5", "\u00A7123", "&"}) {
    EXPECT_EQ(found_in(none), Texts{}) << none;
  }
}

TEST(BuiltinPlaceholders, TagsOfMailchimpThatTouch) {
  EXPECT_EQ(found_in("Hi *|FNAME|**|LNAME|*, hi"), (Texts{"*|FNAME|*", "*|LNAME|*"}));
}

}  // namespace
}  // namespace ventris::documents

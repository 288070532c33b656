#pragma once
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::documents {

using text::ByteRange;

/// The placeholders of common formats in a text, by place and without overlaps. The time grows with the size of the
/// text alone, whatever it contains.
/// - braces, also nested, behind one of "$#%@" or nothing: {}, {0}, {n:.2f}, ${name}, %{name}, @{name}, {{name}},
///   {% tag %}, messages of ICU ({n, plural, one {# day} other {# days}}); not a text in single braces
/// - printf: %s, %1$d, %-5.2lf, %*d, %%; Python and Ruby: %(name)s, %<name>05.2f; Java: %,d, %<s; Boost: %1%, %|1$s|;
///   Pascal: %0:s; times: %Y, %-H, %1$tB; one with a sign between, as in %H:%M
/// - $name, $name$, $(name), $t(name), %name%, %%name%%; code of AMPscript: %%=name=%%, %%[ set @a = 1 ]%%
/// - :name, :name:, @name, @name@, __NAME__, ##name##, ###NAME###, $$name$$, *|name|*, *|DATE:d/m/y|*, ~Contact.Name~
/// - [first_name], [%key:name%], [[name]]; both parts of links (LinkParts): "[" and "](target)"
/// - written escapes: \n, \t, \u00e9; \(name)
/// - tags: <b>, </b>, <br/>, also with numbers: <0>, </0>, <1/>; <%= name %>; both brackets of <some words>
/// - code of manuals in its elements: <command>ls</command>
/// - characters of HTML that are no letters: &nbsp;, &amp;, &#160;; tags that are written with them: &lt;b&gt;
/// - colours of Minecraft: &a, &#ff8800, §c
/// - links of vue-i18n to other messages: @:name.key, @.lower:key, @:{'key'}, @:(key)
/// - URLs, e-mail addresses, paths (C:\new, /usr/share, ~/.config), keys (Ctrl+O), versions (v1.2.3), #123
/// - options of commands and variables: --all, --output=FILE, -h, LC_ALL=C
/// - code of reStructuredText (:py:func:`f`, `Title`_, [1]_, |version|) and POD (E<lt>, C<ls>, B<word>)
/// A unit that touches the end of one belongs to it, and so does the rest of a path: {size}GB, %dpx, {path}/a.txt,
/// ${HOME}/bin.
std::vector<ByteRange> builtin_placeholders(std::string_view text);

/// Numbers, such as 7, -3 and 1,000.50, that are not a part of a word.
std::vector<ByteRange> number_placeholders(std::string_view text);

}  // namespace ventris::documents

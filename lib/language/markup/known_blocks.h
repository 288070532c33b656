#pragma once
#include <string>
#include <string_view>

namespace ventris::markup {

/// What begins the text of a line: spaces, the signs of quotations, and the markers of lists.
std::string_view without_container(std::string_view line);

/// "highlight" of "{% highlight c %}", "endhighlight" of its end, "/highlight" of that of Hugo ("{{< / highlight >}}").
/// Empty if the text is no such tag.
std::string name_of_template(std::string_view tag);

/// Whether what is between the tag with this name and its end is no text but code, or a comment.
bool is_code_of_template(std::string_view name);

/// Whether the line begins a box or a tab, whose content is in the lines below, indented by four spaces: !!! note
/// "title", ??? note, === "title" (Python-Markdown's admonitions, details and tabs).
bool begins_box(std::string_view line);

/// Whether the line begins a block of HTML that can stand directly below a paragraph or table (CommonMark 0.31.2,
/// section 4.6, kinds 1 to 6).
bool begins_html_block(std::string_view line);

/// A document in which the parser of Markdown sees blocks that it does not know as blocks that it knows. Places and
/// lines stay the same.
/// - Some names of HTML (h2 to h6, header, link, thead...), each of which begins a block, become others. (md4c 0.4.8
///   compares a name only with the first one of its list that it begins with.)
/// - Lines of templates around code ({% highlight c %} and {% endhighlight %}, {{< highlight c >}} and
///   {{< /highlight >}}, and others of is_code_of_template()) become fences, and so do those around an environment of
///   TeX that is no formula (\begin{table} and \end{table}).
/// - The first and the last line of a grid table become fences.
/// - The number "#." of an item becomes "1.".
/// - The first and the last line of a table of pandoc without bars, and those around "::: mermaid", become fences, too.
/// - The letters of an item (LetteredItems) become digits.
/// - A line that ends a component (end_of_component) becomes an empty heading.
/// - A line that begins a box (begins_box) becomes an item of a list with code, and so does the definition of a term
///   (": text", or "~ text" behind spaces), with its text. So what belongs to it is a part of the item.
std::string with_known_blocks(std::string document);

}  // namespace ventris::markup

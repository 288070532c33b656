#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// The conversions of printf in a text that take the next argument, in their order: "%s", "%-5.2f", "%<PRIu64>"; not
/// "%%", "%1$s" and
/// "%(name)s".
std::vector<std::string> conversions_in(std::string_view text);

/// `translation` with numbers ("%2$s") if its conversions are those of the source in another order, and as it is if
/// they are in the same order. Nothing if they are not those of the source, or cannot be numbered.
std::optional<std::string> with_numbered_conversions(std::string_view source, std::string_view translation);

/// The same for arguments in braces that take the next value ("{}", "{:d}"): numbers from 0 ("{1:d}").
std::optional<std::string> with_numbered_braces(std::string_view source, std::string_view translation);

/// The conversions of a text, and then its arguments in braces, that take the next value.
std::vector<std::string> unnumbered_arguments_in(std::string_view text);

/// The text with numbers in its conversions ("%2$s"), which count from `first`, from 0; nothing if one of them cannot
/// be numbered.
std::optional<std::string> with_numbers_from(std::string_view text, size_t first);

/// The arguments of Qt and KDE in a text, in order: "%1" to "%99", "%L1", "%n" and "%Ln".
std::vector<ByteRange> numbered_arguments_in(std::string_view text);

/// The arguments of MediaWiki in a text, in order: "$1" to "$9". No amounts such as "$1.50" and "$10".
std::vector<ByteRange> wiki_arguments_in(std::string_view text);

/// The same in a text that may be one of MediaWiki or of Chrome: if it has all from "$1" to the highest one.
std::vector<ByteRange> dollar_arguments_in(std::string_view text);

/// The links of MediaWiki in a text, in order: "[[Page|words]]".
std::vector<ByteRange> wiki_links_in(std::string_view text);

/// The conversions by macros of <inttypes.h> in a text, in order, as gettext writes them: "%<PRIu64>", "%1$5<PRId32>".
std::vector<ByteRange> macro_conversions_in(std::string_view text);

/// The directives of Lisp and Scheme in a text, in order: "~A", "~10d", "~,2f", "~,'*d", "~%".
std::vector<ByteRange> tilde_directives_in(std::string_view text);

/// Whether both texts have the same directives in the same order.
bool have_same_directives(std::string_view source, std::string_view translation);

}  // namespace ventris::formats

#pragma once
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// Whether a catalogue (a file of gettext) is that of manual pages: it has fonts or characters of groff, or kinds of
/// texts that po4a writes for them. In others, "\'" and ".NET" are no code.
bool is_of_manual_pages(std::string_view catalogue);

/// Code of groff in a text of a manual page, by place and without overlaps.
/// - fonts: \fB, \f(CW, \f[B]; with a word that is no text, and its end: \fI/etc/hosts\fR
/// - characters, strings and sizes: \(co, \[em], \*(Aq, \-, \&, \s-2, \m[blue]
/// - a word that has some of them inside, and an option: apt\-get, it\(aqs, \-\-all
/// - requests at the beginning of a line: .nh, .SH; a comment (.\") with its line
std::vector<ByteRange> groff_escapes_in(std::string_view text);

/// Whether this is the escape of a font and nothing else: "\fB", "\f(CW", "\f[]".
bool is_groff_font(std::string_view escape);

/// Whether this is a quotation mark: "\(lq", "\[rq]".
bool is_groff_quotation_mark(std::string_view escape);

/// Whether this is a request or macro that manual pages have at the beginning of a line: ".SH".
bool is_groff_request(std::string_view code);

}  // namespace ventris::formats

#pragma once
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// Code of groff in a text of a manual page, by place and without overlaps.
/// - fonts: \fB, \f(CW, \f[B]; with a word that is no text, and its end: \fI/etc/hosts\fR
/// - characters, strings and sizes: \(co, \[em], \*(Aq, \-, \&, \s-2, \m[blue]
/// - a word that has some of them inside, and an option: apt\-get, it\(aqs, \-\-all
/// - requests at the beginning of a line: .nh, .SH; a comment (.\") with its line
std::vector<ByteRange> groff_escapes_in(std::string_view text);

}  // namespace ventris::formats

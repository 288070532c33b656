#pragma once
#include <cstddef>
#include <string_view>

#include "text/tokenizer.h"

namespace ventris::documents {

/// The end of what begins with a word or a sign of a path at this byte, and stays as it is in a message: a path of Unix
/// ("/usr/share/a", "~/.config"), keys that are pressed together ("Ctrl+O", "Shift+F1") or a key that is all behind a
/// tab ("\tF1", "\tDel"), a version ("v1.2.3"), a number ("#123"), a pattern or name of files ("*.png",
/// "src/util.py"), a name in a program ("insert_post()", "WP_DEBUG"). kNoEnd (sign_matcher.h): there is none.
size_t end_of_name_of_system(std::string_view text, size_t at);

/// "C:\new", "C:\Program Files\a": the end of a path of Windows that begins with the name of a drive at this byte;
/// kNoEnd: there is none.
size_t end_of_windows_path(std::string_view text, size_t at);

/// "\\\\server\\share": the end of a path of Windows that begins with the name of a computer; kNoEnd: there is none.
size_t end_of_network_path(std::string_view text, size_t at);

/// The size of what belongs to the path or file name whose beginning is a placeholder, as in "{path}/a.txt",
/// "{name}.png" and, behind a name of a place, "${HOME}/bin" and "%{base_url}/help". 0 = nothing. `placeholder`: its
/// bytes in the text.
size_t path_behind(std::string_view text, text::ByteRange placeholder);

/// Whether the name in a placeholder is that of a folder, a site or a variable of the system: "${HOME}", "%{base_url}",
/// "{{ site.url }}".
bool is_name_of_place(std::string_view placeholder);

}  // namespace ventris::documents

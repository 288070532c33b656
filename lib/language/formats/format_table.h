#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/markup.h"

/// The kinds of files that are translated as a whole: one table for programs, the server and Python.
namespace ventris::formats {

using markup::Markup;

/// A kind of file.
struct FileFormat {
  const char* name;  ///< as the setting `markup` has it
  Markup markup;
  std::vector<const char*> endings;  ///< of names of files, in small letters: ".srt"; none: it is only chosen by name
  const char* media_type;  ///< "application/x-subrip"
};

/// All formats, plain text ("none") first. The ending of a name may be that of several; the first one counts.
const std::vector<FileFormat>& all_formats();

/// "none, html, markdown, ...".
std::string format_names();

/// The format with this name; null if there is none.
const FileFormat* find_format(std::string_view name);

/// The format of a file with this name, in letters of any case; a ".gz" behind it does not count. Null if its ending
/// is in no row.
const FileFormat* format_of_file(std::string_view file);

/// The format of a file with these first bytes (128 are enough): of a zip file, by the first name in it; of a document
/// that begins with an XML declaration. Null if it is not known.
const FileFormat* format_of_content(std::string_view start);

/// What the file is, if the ending of its name is that of a document that is not read: "is a document of Word".
/// Empty for any other ending.
std::string_view unread_kind(std::string_view file);

/// Whether the ending of its name, as in format_of_file(), is that of JSON lines.
bool has_json_lines(std::string_view file);

}  // namespace ventris::formats

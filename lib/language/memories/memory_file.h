#pragma once
#include <string>
#include <string_view>

namespace ventris::memories {

/// Which texts of a translation memory make a parallel corpus.
struct MemoryLanguages {
  std::string source = {}, target = {};  ///< as the file has them ("de-DE"), or their beginnings ("de"); "" = not given
};

/// Whether it is the name of a translation memory: it ends in ".tmx" or ".tmx.gz", in letters of any case.
bool is_memory(std::string_view file);

/// A file as users give it, such as "corpus.tmx:en:de".
struct NamedMemory {
  std::string path;
  MemoryLanguages languages;
};

/// The path and the languages. A name without ".tmx:" is only a path. Throws ConfigError if there is anything but two
/// languages.
NamedMemory parse_memory(const std::string& name);

/// The name again.
std::string name_of(const NamedMemory& memory);

/// How well a language of a file fits the one that was asked for, in letters of any case, with "_" for "-": 2 it is the
/// same, 1 it is a kind of it (RFC 4647, section 3.3.1: "de" has "de-AT"), 0 it is another one.
int language_match(std::string_view asked, std::string_view found);

}  // namespace ventris::memories

#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memories/memory_file.h"
#include "text/byte_source.h"

namespace ventris::memories {

/// How many translation units a file has, and how many have texts in both languages.
struct MemoryCounts {
  int64_t units = 0;
  int64_t pairs = 0;
};

/// The pairs of a translation memory (TMX 1.1 to 1.4b) as lines with two TAB-separated columns. Units without a text in
/// one of the languages are left out. Of several texts in a language, the first one counts that fits best
/// (language_match). Codes of the original document (bpt, ept, it, ph, ut) and subflows (sub) are left out, and white
/// space is one space. The file may be in any encoding that Expat reads, such as UTF-16. Memory: one unit and one
/// block.
class TmxReader : public text::ByteSource {
 public:
  /// Throws DataError if the file cannot be read.
  TmxReader(const std::string& path, MemoryLanguages languages);
  ~TmxReader() override;

  /// Throws DataError as text::ByteSource does, with the line for what is not well-formed, if the file is no TMX, and
  /// with the languages of the file if they were not given, or if no unit has both.
  std::string_view next_block() override;
  bool ready() override { return bytes_->ready(); }

  const MemoryCounts& counts() const { return counts_; }

 private:
  struct Parser;

  void parse(std::string_view block);
  void open(std::string_view name, const char* const* attributes);
  void close(std::string_view name);
  void add_text(std::string_view text);
  void begin_variant(const char* const* attributes);
  void end_variant();
  void end_unit();
  void note_language(const std::string& language);
  void check_found() const;
  std::string list_of_languages() const;

  const std::string path_;
  const MemoryLanguages languages_;
  std::unique_ptr<text::ByteSource> bytes_;
  std::unique_ptr<Parser> parser_;
  std::exception_ptr error_;  // thrown in the parser, which is written in C
  std::string lines_;         // that were read
  MemoryCounts counts_;
  std::set<std::string> found_;        // languages; only some if there are many
  std::string language_, segment_;     // of the variant that is read
  std::string source_, target_;        // of the unit
  int source_match_ = 0, target_match_ = 0;
  int64_t codes_ = 0;                  // that are open: text in them is none
  bool in_segment_ = false, begun_ = false, done_ = false;
};

}  // namespace ventris::memories

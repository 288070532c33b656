#include "formats/format_table.h"
#include "fuzz/targets.h"
#include "support/written_format.h"

/// Files with texts among other things: the first line is the name of the format, the rest the file.
namespace ventris::fuzz {
namespace {

using markup::Markup;

void read_format(std::string_view input) {
  const auto [name, file] = first_line_of(input);
  const auto* format = formats::find_format(name);
  if (format == nullptr || !markup::keeps_bytes(format->markup)) return;
  const std::string document(file);
  const std::string same = test::written_format(document, format->markup);
  require(format->markup == Markup::kPo || same == document, "a file whose texts are not changed comes back");
  const std::string other =
      test::written_format(document, format->markup, [](const std::string& text) { return "z " + text; });
  static_cast<void>(test::format_texts(other, format->markup));  // it can be read again
}

const Registration kFormats("formats", read_format);

}  // namespace
}  // namespace ventris::fuzz

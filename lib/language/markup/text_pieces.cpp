#include "markup/text_pieces.h"

#include "markup/addresses.h"

namespace ventris::markup {

using text::ByteRange;

std::vector<ByteRange> addresses_in(std::string_view document, const std::vector<TextPiece>& pieces) {
  std::string text;
  std::vector<size_t> ends;  // of the pieces, in the text
  for (const TextPiece& piece : pieces) {
    const size_t begin = piece.range.begin + (piece.escaped ? 1 : 0);
    text += document.substr(begin, piece.range.end - begin);
    ends.push_back(text.size());
  }
  const auto place = [&](size_t last) {  // behind this character of the text
    const auto piece = static_cast<size_t>(std::ranges::upper_bound(ends, last) - ends.begin());
    return pieces[piece].range.end - (ends[piece] - last - 1);
  };
  std::vector<ByteRange> addresses = find_addresses(text);
  for (ByteRange& address : addresses) {
    const size_t first = place(address.begin) - 1;
    const auto piece =
        std::ranges::lower_bound(pieces, first, {}, [](const TextPiece& of) { return of.range.end - 1; });
    const bool escaped = piece != pieces.end() && piece->escaped && piece->range.begin + 1 == first;
    address = {escaped ? first - 1 : first, place(address.end - 1)};
  }
  return addresses;
}

}  // namespace ventris::markup

#include "markup/parsing_limits.h"

#include <algorithm>

#include "core/process.h"

namespace ventris::markup {

void ParsingLimits::count(size_t at) {
  constexpr size_t kCheckEvery = 4096;
  if (++parts_ > most_) {
    const auto line = std::ranges::count(document_.substr(0, std::min(at, document_.size())), '\n') + 1;
    fail<MarkupError>("line ", line, ": the document has more than ", most_,
                      " tags, signs and texts between them; divide it");
  }
  if (parts_ % kCheckEvery == 0) core::throw_if_stopped("reading a document");
}

}  // namespace ventris::markup

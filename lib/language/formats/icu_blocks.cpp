#include "formats/icu_blocks.h"

#include <string>
#include <utility>
#include <vector>

#include "formats/icu_whole_forms.h"
#include "formats/messages.h"
#include "markup/characters.h"

namespace ventris::formats {

void divide_into_forms(markup::MarkedDocument& document, markup::Markup markup) {
  std::vector<markup::Block> blocks;
  std::string kept;  // what follows the last block
  for (markup::Block& block : document.blocks) {
    markup::MarkedText& text = block.text;
    kept += block.before;
    const bool plain = text.marks.empty() && text.objects.empty();
    std::vector<IcuForm> forms = plain ? take_forms(text.text) : icu_forms(text.text);
    if (forms.empty() && markup == markup::Markup::kXliff && text.text.find('|') != std::string::npos) {
      for (const ByteRange& form : number_forms_of(text.text)) forms.push_back({form});
      if (forms.size() == 1) forms.clear();
    }
    if (forms.empty()) {
      block.before = std::exchange(kept, {});
      blocks.push_back(std::move(block));
      continue;
    }
    const auto escape = [&](std::string_view part) { return markup::escape(part, markup, block.escaping); };
    markup::PartCutter cutter(text);
    for (const IcuForm& form : forms) {
      markup::MarkedText part = cutter.part(form.text);
      if (!markup::has_letters(part.text)) continue;
      markup::Block& added = blocks.emplace_back();
      added.before = std::exchange(kept, {}) + cutter.take(form.text, escape);
      added.text = std::move(part);
      added.line = block.line;
      added.placeholders = form.kept;
      added.escaping = block.escaping;
    }
    kept += cutter.rest(escape);
  }
  document.after.insert(0, kept);
  document.blocks = std::move(blocks);
}

}  // namespace ventris::formats

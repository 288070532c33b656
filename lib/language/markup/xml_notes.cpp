#include "markup/xml_notes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ventris::markup {
namespace {

/// Names that mean the same in all kinds of documents that have them.
constexpr std::array<std::string_view, 17> kNotes{"fn",
                                                  "footnote",
                                                  "endnote",
                                                  "note",
                                                  "remark",
                                                  "indexterm",
                                                  "index-term",
                                                  "annotation",
                                                  "alt",
                                                  "desc",
                                                  "textobject",
                                                  "draft-comment",
                                                  "required-cleanup",
                                                  "alt-text",
                                                  "index-see",
                                                  "index-see-also",
                                                  "index-sort-as"};

}  // namespace

NotesInSentences::NotesInSentences(const XmlDocument& xml) : notes_(xml.elements.size()) {
  std::vector<bool> in_sentence(xml.elements.size());  // a sentence is around the element
  for (size_t i = 1; i < xml.elements.size(); ++i) {
    const XmlElement& element = xml.elements[i];
    const size_t parent = element.parent;
    const bool text = parent != 0 && xml.elements[parent].has_text;
    in_sentence[i] = xml.elements[parent].translated && (text || (in_sentence[parent] && !notes_[parent]));
    const bool empty = element.end == element.begin + 1;
    notes_[i] = in_sentence[i] && !empty && std::ranges::find(kNotes, xml.local_name(i)) != kNotes.end();
  }
}

void XmlNotes::end_before(size_t element) {
  while (!open_.empty() && xml_.elements[open_.back().element].end < xml_.elements[element].begin) {
    take(open_.back());
    open_.pop_back();
  }
}

void XmlNotes::begin(size_t element) {
  const size_t at = xml_.events[xml_.elements[element].begin].range.begin;
  line_ += std::ranges::count(xml_.source.substr(counted_, at - counted_), '\n');
  counted_ = at;
  open_.push_back({element, line_});
}

void XmlNotes::end_all() {
  for (; !open_.empty(); open_.pop_back()) take(open_.back());
}

void XmlNotes::take(const OpenNote& note) {
  const XmlElement& element = xml_.elements[note.element];
  const ByteRange start = xml_.events[element.begin].range, end = xml_.events[element.end].range;
  std::string written = edits_.apply(xml_.source, start);
  const int64_t lines = std::ranges::count(xml_.source.substr(start.begin, start.end - start.begin), '\n');
  MarkedDocument inside = in_blocks(xml_.source, xml_parts(xml_, roles_, element.begin + 1, element.end), edits_,
                                    {start.end, end.begin}, note.line + lines);
  for (Block& block : inside.blocks) {
    written += std::exchange(block.before, {});
    written += texts_.add(std::move(block), ApartTexts::Place::kContent);
  }
  written += inside.after;
  written.append(xml_.source, end.begin, end.end - end.begin);
  edits_.replace({start.begin, end.end}, std::move(written));
}

}  // namespace ventris::markup

#include "markup/template_pairs.h"

#include <algorithm>

#include "markup/characters.h"
#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

/// The name (is_name_byte) at the beginning, behind spaces.
std::string name_at(std::string_view text) {
  text.remove_prefix(run_of(text, 0, " "));
  return {text.begin(), std::ranges::find_if_not(text, is_name_byte)};
}

class Pairs {
 public:
  Pairs(std::string_view document, std::vector<Part>& parts) : document_(document), parts_(parts) {}

  void find() {
    for (size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      if (part.kind == Part::Kind::kKept) open_.clear();
      if (part.kind == Part::Kind::kText) letters_ += has_letters(part.text) ? 1 : 0;
      if (part.kind == Part::Kind::kMark) add_mark(part.mark);
      if (part.kind == Part::Kind::kHidden) add_object(i);
    }
  }

 private:
  struct Open {
    size_t part;
    std::string name;
    int64_t depth;
    size_t letters;
  };
  void add_mark(Mark::Kind kind) {
    depth_ += kind == Mark::Kind::kOpen ? 1 : kind == Mark::Kind::kClose ? -1 : 0;
    while (!open_.empty() && open_.back().depth > depth_) open_.pop_back();
  }
  void add_object(size_t number) {
    const ByteRange range = parts_[number].range;
    TemplateTag tag = read_template_tag(document_.substr(range.begin, range.end - range.begin));
    if (tag.kind == TemplateTag::Kind::kStart && open_.size() < static_cast<size_t>(kDeepestNesting)) {
      open_.push_back({number, std::move(tag.name), depth_, letters_});
    }
    if (tag.kind != TemplateTag::Kind::kEnd) return;
    const auto start = std::ranges::find(open_.rbegin(), open_.rend(), tag.name, &Open::name);
    if (start == open_.rend()) return;
    const size_t first = start->part;
    if (start->depth == depth_ && start->letters < letters_) {
      set_mark(start->part, Mark::Kind::kOpen);
      set_mark(number, Mark::Kind::kClose);
    }
    open_.erase(start.base() - 1, open_.end());
    if (!is_end_of_word(first, number)) return;
    const size_t end = parts_[number].range.end;
    parts_[first] = {{parts_[first].range.begin, end}, Part::Kind::kHidden};
    for (size_t i = first + 1; i <= number; ++i) parts_[i] = {{end, end}, Part::Kind::kText};
  }
  /// Whether the pair has only some letters at the end of a word, as in "item{% if n != 1 %}s{% endif %}". They stay
  /// with it, so that the word is never inside.
  bool is_end_of_word(size_t start, size_t end) const {
    constexpr size_t kMost = 4;  // letters
    if (start == 0 || end != start + 2 || parts_[start - 1].kind != Part::Kind::kText) return false;
    const std::string_view word = parts_[start - 1].text, letters = parts_[start + 1].text;
    const bool short_text = parts_[start + 1].kind == Part::Kind::kText && letters.size() <= kMost;
    return short_text && !word.empty() && is_letter(word.back()) && std::ranges::all_of(letters, is_letter);
  }
  void set_mark(size_t number, Mark::Kind kind) {
    parts_[number].kind = Part::Kind::kMark;
    parts_[number].mark = kind;
  }

  std::string_view document_;
  std::vector<Part>& parts_;
  std::vector<Open> open_;  // tags without an end, in this block
  int64_t depth_ = 0;       // of marks
  size_t letters_ = 0;      // texts with letters so far
};

}  // namespace

TemplateTag read_template_tag(std::string_view raw) {
  using Kind = TemplateTag::Kind;
  constexpr std::string_view kEnd = "end";
  TemplateTag tag;
  if (raw.starts_with("{{#") || raw.starts_with("{{^") || raw.starts_with("{{/")) {
    tag = {raw[2] == '/' ? Kind::kEnd : Kind::kStart, name_at(raw.substr(3))};
  } else if (raw.starts_with("{%") || raw.starts_with("{{<") || raw.starts_with("{{%")) {
    const std::string name = name_of_template(raw);
    const bool slash = name.starts_with('/'), word = name.starts_with(kEnd) && raw.starts_with("{%");
    tag = {slash || word ? Kind::kEnd : Kind::kStart, name.substr(slash ? 1 : word ? kEnd.size() : 0)};
  } else if (raw.starts_with('{') && !raw.starts_with("{{")) {
    const bool slash = raw.starts_with("{/");
    tag = {slash ? Kind::kEnd : Kind::kStart, name_at(raw.substr(slash ? 2 : 1))};
    if (tag.name.size() + (slash ? 3 : 2) != raw.size()) tag.name.clear();
  }
  return tag.name.empty() ? TemplateTag() : tag;
}

void pair_templates(std::string_view document, std::vector<Part>& parts) { Pairs(document, parts).find(); }

}  // namespace ventris::markup

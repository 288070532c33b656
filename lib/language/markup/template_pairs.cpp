#include "markup/template_pairs.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"
#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

/// The name (is_name_byte) at the beginning, behind spaces.
std::string name_at(std::string_view text) {
  text.remove_prefix(run_of(text, 0, " "));
  return {text.begin(), std::ranges::find_if_not(text, is_name_byte)};
}

/// What is behind "{{" and signs that take away spaces: "{{~#a}}", "{{- end }}".
std::string_view inside_braces(std::string_view raw) {
  if (!raw.starts_with("{{")) return {};
  return raw.substr(std::min(raw.find_first_not_of(" \t\n~-", 2), raw.size()));
}

/// "if .a", but not "block }}" and "range | first }}", which are values of other templates.
bool begins_go_section(std::string_view inside) {
  constexpr std::string_view kSpaces = " \t\n";
  constexpr std::array<std::string_view, 5> kNames{"if", "range", "with", "block", "define"};
  const std::string_view name = inside.substr(0, inside.find_first_of(kSpaces));
  const size_t behind = name.size() + run_of(inside, name.size(), kSpaces);
  if (behind == inside.size() || std::ranges::find(kNames, name) == kNames.end()) return false;
  return is_alnum_byte(inside[behind]) || std::string_view(".$(\"`").find(inside[behind]) != std::string_view::npos;
}
bool ends_go_section(std::string_view inside) {
  constexpr std::string_view kEnd = "end";
  if (!inside.starts_with(kEnd)) return false;
  inside.remove_prefix(kEnd.size());
  return inside.substr(std::min(inside.find_first_not_of(" \t\n-"), inside.size())).starts_with('}');
}

/// Signs of CriticMarkup.
constexpr std::array<std::string_view, 6> kChanges{"{++", "++}", "{--", "--}", "{==", "==}"};

/// The sign at the beginning; empty if there is none.
std::string_view change_at(std::string_view text) {
  const auto* const sign = std::ranges::find_if(kChanges, [&](std::string_view one) { return text.starts_with(one); });
  return sign == kChanges.end() ? std::string_view() : *sign;
}

/// The size of the tag at the beginning, "{% a %}", "{{ a }}", "{++" or "{>>a<<}"; 0 if there is none.
size_t size_of_tag(std::string_view text) {
  if (const std::string_view sign = change_at(text); !sign.empty()) return sign.size();
  if (text.starts_with("{>>")) {
    const size_t comment = text.find("<<}");
    return comment == std::string_view::npos ? 0 : comment + 3;
  }
  const bool statement = text.starts_with("{%");
  if (!statement && !text.starts_with("{{")) return 0;
  const size_t end = text.find(statement ? "%}" : "}}", 2);
  return end == std::string_view::npos ? 0 : end + 2 + run_of(text, end + 2, "}");
}

/// Cuts objects that are several tags. Returns the bytes where it cuts.
std::vector<size_t> cut_tags(std::string_view document, std::vector<Part>& parts) {
  std::vector<size_t> cuts;
  std::vector<Part> all;
  all.reserve(parts.size());
  for (Part& part : parts) {
    const size_t begin = part.range.begin, end = part.range.end;
    const bool object = part.kind == Part::Kind::kHidden;
    all.push_back(std::move(part));
    for (const size_t size : object ? sizes_of_tags(document.substr(begin, end - begin)) : std::vector<size_t>()) {
      const size_t cut = all.back().range.begin + size;
      if (cut == end) break;
      all.back().range.end = cut;
      all.push_back({{cut, end}, Part::Kind::kHidden});
      cuts.push_back(cut);
    }
  }
  parts = std::move(all);
  return cuts;
}

/// Makes one object again of those that were cut from each other and are no marks.
void join_tags(std::vector<Part>& parts, const std::vector<size_t>& cuts) {
  auto cut = cuts.begin();
  const auto belongs_to_last = [&](const Part& last, const Part& part) {
    while (cut != cuts.end() && *cut < part.range.begin) ++cut;
    return cut != cuts.end() && *cut == part.range.begin && last.range.end == *cut &&
           last.kind == Part::Kind::kHidden && part.kind == Part::Kind::kHidden;
  };
  std::vector<Part> all;
  all.reserve(parts.size());
  for (Part& part : parts) {
    if (!all.empty() && belongs_to_last(all.back(), part)) {
      all.back().range.end = part.range.end;
    } else {
      all.push_back(std::move(part));
    }
  }
  parts = std::move(all);
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
  constexpr std::string_view kEnd = "end", kSigns = "#^$/";
  const std::string_view inside = inside_braces(raw), change = change_at(raw);
  TemplateTag tag;
  if (!change.empty() && raw == change) {
    const bool start = change.starts_with('{');
    tag = {start ? Kind::kStart : Kind::kEnd, std::string(change.substr(start ? 1 : 0, 2))};
  } else if (!inside.empty() && kSigns.find(inside.front()) != std::string_view::npos) {
    tag = {inside.front() == '/' ? Kind::kEnd : Kind::kStart, name_at(inside.substr(1))};
  } else if (is_go_section(raw)) {
    tag = {ends_go_section(inside) ? Kind::kEnd : Kind::kStart, "{{end"};  // all have the same end
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

bool is_go_section(std::string_view raw) {
  const std::string_view inside = inside_braces(raw);
  return begins_go_section(inside) || ends_go_section(inside);
}

bool is_go_end(std::string_view raw) { return ends_go_section(inside_braces(raw)); }

std::vector<size_t> sizes_of_tags(std::string_view raw) {
  std::vector<size_t> sizes;
  while (!raw.empty()) {
    const size_t size = size_of_tag(raw);
    if (size == 0) return {};
    sizes.push_back(size);
    raw.remove_prefix(size);
  }
  return sizes;
}

void pair_templates(std::string_view document, std::vector<Part>& parts) {
  const std::vector<size_t> cuts = cut_tags(document, parts);
  Pairs(document, parts).find();
  if (!cuts.empty()) join_tags(parts, cuts);
}

}  // namespace ventris::markup

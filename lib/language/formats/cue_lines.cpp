#include "formats/cue_lines.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "markup/html.h"
#include "markup/text_cursor.h"
#include "text/valid_utf8.h"

namespace ventris::formats {
namespace {

using markup::Mark;
using markup::Markup;

constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kLineEnd = "\\N";  // as Advanced SubStation Alpha writes it

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Whether a line end is written there, and no path: "C:\\New".
bool is_line_end(std::string_view line, size_t at) {
  constexpr size_t kLongestPath = 200;
  if (!line.substr(at).starts_with(kLineEnd)) return false;
  const std::string_view before = line.substr(at > kLongestPath ? at - kLongestPath : 0, std::min(at, kLongestPath));
  const size_t space = before.find_last_of(kSpaces);
  const std::string_view word = space == kNone ? before : before.substr(space + 1);
  return !word.ends_with(':') && word.find(":\\") == kNone && !word.starts_with("\\\\");
}

/// The end of the tag that begins at this byte; kNone if it is text. How words of <ruby> are read is a part of <rt>.
size_t end_of_tag(std::string_view line, size_t at, Markup markup) {
  constexpr std::string_view kDirection = "&lrm;";
  if (line[at] == '{') {
    const size_t end = line.find_first_of("{}", at + 1);
    const bool code = line.substr(at + 1).starts_with('\\');  // files that were SRT have them in WebVTT, too
    return code && end != kNone && line[end] == '}' ? end + 1 : kNone;
  }
  if (line[at] == '\\') return is_line_end(line, at) ? at + kLineEnd.size() : kNone;
  if (line[at] == '&') {  // a sign of direction, which nobody sees
    const std::string_view sign = line.substr(at, kDirection.size());
    return markup == Markup::kVtt && (sign == kDirection || sign == "&rlm;") ? at + sign.size() : kNone;
  }
  if (line[at] != '<') return kNone;
  const size_t end = line.find_first_of("<>", at + 1);
  if (end == kNone || line[end] == '<') return kNone;
  const size_t name = at + (line.substr(at + 1).starts_with('/') ? 2 : 1);
  const bool named = name < end && is_letter(line[name]);
  const bool time = markup == Markup::kVtt && name < end && line[name] >= '0' && line[name] <= '9';
  const bool empty = markup == Markup::kVtt && name == end;  // "</>"
  const std::string_view tag = line.substr(at, end + 1 - at);
  if (markup == Markup::kVtt && (tag == "<rt>" || tag.starts_with("<rt.") || tag.starts_with("<rt "))) {
    constexpr std::string_view kEnd = "</rt>";
    constexpr size_t kLongest = 200;  // bytes of a reading
    const size_t behind = line.substr(end, kLongest).find(kEnd);
    if (behind != kNone) return end + behind + kEnd.size();
  }
  return named || time || empty ? end + 1 : kNone;
}

CueToken tag_of(std::string_view raw) {
  CueToken token{raw, true};
  if (raw.front() != '<') return token;
  token.closes = raw.substr(1).starts_with('/');
  const size_t begin = token.closes ? 2 : 1;
  if (!is_letter(raw[begin])) return token;
  token.name = raw.substr(begin, raw.find_first_of(" \t.>/", begin) - begin);
  return token;
}

/// A token with its place.
struct PlacedToken {
  CueToken token;
  size_t line = 0;        // of the subtitle
  size_t partner = kNone;  // the other half of a pair
};

/// A line without its tags, and for each byte of it the byte of the line at which a line of its own would begin: in
/// front of the tags there, but behind those that close.
struct VisibleText {
  std::string text;
  std::vector<size_t> begins;
};

VisibleText visible_text(std::string_view line, Markup markup) {
  VisibleText visible;
  size_t at = 0, begin = 0;
  for (const CueToken& token : cue_tokens(line, markup)) {
    if (token.is_tag) {
      at += token.raw.size();
      if (token.closes) begin = at;
      continue;
    }
    visible.text += token.raw;
    for (size_t i = 0; i < token.raw.size(); ++i) {
      visible.begins.push_back(i == 0 ? begin : at);
      ++at;
    }
    begin = at;
  }
  return visible;
}

/// Where tags in a line begin that another line begins with: tags of voices, and line ends as files of other formats
/// write them.
std::vector<size_t> dividing_tags(std::string_view raw, Markup markup) {
  std::vector<size_t> found;
  size_t at = 0;
  bool text = false;
  for (const CueToken& token : cue_tokens(raw, markup)) {
    const bool voice = token.name == "v" && !token.closes;
    if (text && (voice || token.raw == kLineEnd)) found.push_back(at);
    text = text || (!token.is_tag && token.raw.find_first_not_of(kSpaces) != kNone);
    at += token.raw.size();
  }
  return found;
}

/// Where somebody else begins to speak: at dividing_tags(), and behind the end of a sentence, at a dash before a word
/// with a capital letter. Only the first ones in a line with very many dashes, which is no dialogue.
std::vector<size_t> changes_of_speaker(std::string_view raw, Markup markup) {
  constexpr size_t kMost = 8;
  const auto [line, begins] = visible_text(raw, markup);
  const std::vector<size_t> tags = dividing_tags(raw, markup);
  std::vector<size_t> changes = tags;
  for (size_t at = 1; at < line.size(); ++at) {
    if (line[at - 1] != ' ') continue;
    size_t next = at;
    const UChar32 dash = markup::next_character(line, next);
    if (dash != '-' && dash != 0x2013 && dash != 0x2014) continue;
    next = std::min(line.find_first_not_of(" \"'", next), line.size());
    const UChar32 first = markup::character_at(line, next);
    size_t end = line.find_last_not_of(" \"'", at - 1);
    if (first < 0 || u_isalpha(first) == 0 || u_islower(first) != 0 || end == kNone) continue;
    const UChar32 last = markup::previous_character(line, ++end);
    if (u_hasBinaryProperty(last, UCHAR_S_TERM) != 0 || last == 0x2026) changes.push_back(begins[at]);
    if (changes.size() > tags.size() + kMost) return tags;
  }
  std::ranges::sort(changes);
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  return changes;
}

/// A subtitle with a line for each speaker, and the numbers of the lines in the document.
struct DividedCue {
  Cue cue;
  std::vector<int64_t> numbers;
};

DividedCue divided(std::string_view document, const Cue& cue, Markup markup) {
  DividedCue parts{cue, {}};
  parts.cue.lines.clear();
  for (size_t i = 0; i < cue.lines.size(); ++i) {
    size_t begin = cue.lines[i].begin;
    for (const size_t change : changes_of_speaker(part_of(document, cue.lines[i]), markup)) {
      parts.cue.lines.push_back({begin, cue.lines[i].begin + change});
      begin = cue.lines[i].begin + change;
    }
    parts.cue.lines.push_back({begin, cue.lines[i].end});
    parts.numbers.resize(parts.cue.lines.size(), cue.line + static_cast<int64_t>(i));
  }
  return parts;
}

/// The tokens of a subtitle. Pairs of tags are found by their names.
std::vector<PlacedToken> tokens_of(std::string_view document, const DividedCue& divided, Markup markup) {
  const Cue& cue = divided.cue;
  std::vector<PlacedToken> tokens;
  std::vector<size_t> open;
  std::map<std::string_view, size_t> names;  // how many of each are open
  for (size_t line = 0; line < cue.lines.size(); ++line) {
    for (const CueToken& token : cue_tokens(part_of(document, cue.lines[line]), markup)) {
      tokens.push_back({token, line});
      if (token.name.empty()) continue;
      if (!token.closes) {
        open.push_back(tokens.size() - 1);
        ++names[token.name];
        if (open.size() > markup::kDeepestNesting) markup::fail_nesting(divided.numbers[line], "tags");
        continue;
      }
      if (names[token.name] == 0) continue;
      while (tokens[open.back()].token.name != token.name) {
        --names[tokens[open.back()].token.name];
        open.pop_back();
      }
      tokens[open.back()].partner = tokens.size() - 1;
      tokens.back().partner = open.back();
      --names[token.name];
      open.pop_back();
    }
  }
  return tokens;
}

/// What stands in front of the words of somebody who begins to speak: a dash, a note, or ">>" (CTA-608-E, annex).
size_t end_of_sign(std::string_view text) {
  constexpr std::array<std::string_view, 12> kSigns{"-",      "\u2010", "\u2013", "\u2014", "\u2015",   "\u266A",
                                                    "\u266B", "#",      ">>",     ">>>",    "&gt;&gt;", "&gt;&gt;&gt;"};
  size_t end = 0;
  for (const std::string_view sign : kSigns) {
    if (text.starts_with(sign)) end = sign.size();
  }
  const bool note = text.starts_with("\u266A") || text.starts_with("\u266B");
  if (end == 0 || end == text.size()) return 0;
  const bool space = kSpaces.find(text[end]) != kNone;
  if (!space && (text.front() == '#' || (text[end] >= '0' && text[end] <= '9') || text[end] == '-')) return 0;
  if (note) {
    while (text.substr(end).starts_with("\u266A") || text.substr(end).starts_with("\u266B")) end += 3;
  }
  return std::min(text.find_first_not_of(kSpaces, end), text.size());
}

/// The size of a text without the notes at its end and the white space around them. `in_signs`: it may end with "#",
/// too, as in "# a song #".
size_t begin_of_notes(std::string_view text, bool in_signs) {
  for (;;) {
    const size_t end = text.find_last_not_of(kSpaces) + 1;
    text = text.substr(0, end);
    if (text.ends_with("\u266A") || text.ends_with("\u266B")) {
      text.remove_suffix(3);
    } else if (in_signs && (text.ends_with(" #") || text == "#")) {
      text.remove_suffix(1);
    } else {
      return end;
    }
  }
}

constexpr size_t kLongestVoice = 200;  // bytes of a tag that the next lines have, too

/// Cuts off what stays at both ends of the lines of a subtitle, and makes a text of the rest.
class LineMaker {
 public:
  LineMaker(const DividedCue& divided, size_t number, Markup markup, std::vector<PlacedToken> tokens)
      : markup_(markup), tokens_(std::move(tokens)), kept_(tokens_.size()) {
    size_t token = 0;
    for (size_t i = 0; i < divided.cue.lines.size(); ++i) {
      lines_.push_back({number, divided.cue.lines[i], divided.numbers[i], {}, {}, {}});
      begins_.push_back(token);
      while (token < tokens_.size() && tokens_[token].line == i) ++token;
      ends_.push_back(token);
    }
    voices_.assign(lines_.size(), 0);
  }

  std::vector<CueLine> make() {
    for (size_t i = 0; i < lines_.size(); ++i) cut_ends(i);
    for (size_t i = 0, speaker = 0; i < lines_.size(); ++i) {
      if (voices_[i] > 0) speaker = i;
      const std::string& voice = lines_[speaker].voice;
      if (i > speaker && i <= voices_[speaker] && voice.size() <= kLongestVoice) lines_[i].voice = voice;
    }
    for (size_t i = 0; i < lines_.size(); ++i) fill(i);
    return std::move(lines_);
  }

 private:
  bool is_space(size_t token) const {
    return !tokens_[token].token.is_tag && tokens_[token].token.raw.find_first_not_of(kSpaces) == kNone;
  }
  void skip_spaces(size_t line) {
    while (begins_[line] < ends_[line] && (is_space(begins_[line]) || kept_[begins_[line]])) ++begins_[line];
    while (begins_[line] < ends_[line] && (is_space(ends_[line] - 1) || kept_[ends_[line] - 1])) --ends_[line];
  }

  /// Tags around the whole line, or around all lines of the subtitle, are no part of its text.
  void cut_ends(size_t line) {
    for (;;) {
      skip_spaces(line);
      if (begins_[line] == ends_[line]) return;
      const PlacedToken& first = tokens_[begins_[line]];
      if (!first.token.is_tag || first.token.closes) return;
      if (first.partner == kNone) {
        const bool fixed = first.token.name.empty() || first.token.name == "v";
        if (!fixed || (first.token.name.empty() && first.token.raw.front() == '<')) return;
        if (first.token.name == "v") begin_voice(line, lines_.size() - 1);
      } else if (!ends_line(first.partner, line)) {
        return;
      } else {
        kept_[first.partner] = true;
        if (first.token.name == "v") begin_voice(line, tokens_[first.partner].line);
      }
      kept_[begins_[line]] = true;
    }
  }
  /// Somebody speaks, from the beginning of this line to the end of the last one.
  void begin_voice(size_t line, size_t last) {
    lines_[line].voice = tokens_[begins_[line]].token.raw;
    voices_[line] = std::max<size_t>(last, 1);  // 0: no voice begins here
  }
  /// Whether the token is the last of its line, which is this one or, for the first line, any.
  bool ends_line(size_t token, size_t line) const {
    const size_t other = tokens_[token].line;
    if (other != line && line != 0) return false;
    size_t end = ends_[other];
    while (end > token + 1 && (is_space(end - 1) || kept_[end - 1])) --end;
    return end == token + 1;
  }

  void fill(size_t number) {
    CueLine& line = lines_[number];
    skip_spaces(number);
    const size_t first = number == 0 ? 0 : end_of_tokens(number - 1), last = end_of_tokens(number);
    for (size_t i = first; i < begins_[number]; ++i) line.before += tokens_[i].token.raw;
    for (size_t i = begins_[number]; i < ends_[number]; ++i) {
      std::string_view raw = tokens_[i].token.raw;
      if (!tokens_[i].token.is_tag && i == begins_[number]) take_sign(line, raw);
      std::string end;
      if (!tokens_[i].token.is_tag && i + 1 == ends_[number]) {
        const size_t notes = begin_of_notes(raw, in_signs_);
        end = raw.substr(notes);
        raw = raw.substr(0, notes);
        line.ends = end.find_first_not_of(kSpaces) != kNone;
        if (line.ends) in_signs_ = false;
      }
      add(line, i, raw);
      line.after += end;
    }
    for (size_t i = ends_[number]; i < last; ++i) line.after += tokens_[i].token.raw;
  }
  size_t end_of_tokens(size_t line) const {
    const auto end = std::ranges::upper_bound(tokens_, line, {}, &PlacedToken::line);
    return static_cast<size_t>(end - tokens_.begin());
  }
  void take_sign(CueLine& line, std::string_view& raw) {
    const size_t begin = std::min(raw.find_first_not_of(kSpaces), raw.size());
    const size_t sign = begin + end_of_sign(raw.substr(begin));
    line.before += raw.substr(0, sign);
    line.begins = sign > begin;
    if (line.begins) in_signs_ = raw[begin] == '#';
    raw.remove_prefix(sign);
  }
  void add(CueLine& line, size_t number, std::string_view raw) const {
    const PlacedToken& token = tokens_[number];
    std::string& text = line.text.text;
    if (!token.token.is_tag) {
      std::string plain =
          markup_ == Markup::kVtt && raw.find('&') != kNone ? markup::decode_entities(raw) : std::string(raw);
      text::remove_line_ends(plain);  // an entity may be one
      text += plain;
      return;
    }
    const Mark::Kind kind = token.partner == kNone || kept_[token.partner] ? Mark::Kind::kAlone
                            : token.token.closes                           ? Mark::Kind::kClose
                                                                           : Mark::Kind::kOpen;
    line.text.marks.push_back({text.size(), kind, std::string(raw)});
  }

  Markup markup_;
  std::vector<PlacedToken> tokens_;
  std::vector<bool> kept_;  // tokens that are no part of the text of their line
  std::vector<CueLine> lines_;
  std::vector<size_t> begins_, ends_;  // the tokens of the text of each line
  std::vector<size_t> voices_;  // of each line with a voice tag: the last line that it is about
  bool in_signs_ = false;  // "#" has begun a song
};

}  // namespace

std::vector<CueToken> cue_tokens(std::string_view line, Markup markup) {
  std::vector<CueToken> tokens;
  constexpr std::string_view signs = "<{\\&";
  size_t text = 0;
  for (size_t at = line.find_first_of(signs); at != kNone;) {
    const size_t end = end_of_tag(line, at, markup);
    if (end == kNone) {
      at = line.find_first_of(signs, at + 1);
      continue;
    }
    if (at > text) tokens.push_back({line.substr(text, at - text)});
    tokens.push_back(tag_of(line.substr(at, end - at)));
    text = end;
    at = line.find_first_of(signs, end);
  }
  if (text < line.size()) tokens.push_back({line.substr(text)});
  return tokens;
}

std::vector<CueLine> lines_of_cue(std::string_view document, const Cue& cue, size_t number, Markup markup) {
  const DividedCue parts = divided(document, cue, markup);
  return LineMaker(parts, number, markup, tokens_of(document, parts, markup)).make();
}

}  // namespace ventris::formats

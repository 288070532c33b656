#include "figures/svg.h"

#include <fmt/format.h>

#include <algorithm>

namespace ventris::figures {
namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; }

/// Whether XML 1.0 allows the character that begins here.
bool is_xml(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte < 0x20) return byte == '\t' || byte == '\n' || byte == '\r';
  return !text.starts_with("\xEF\xBF\xBE") && !text.starts_with("\xEF\xBF\xBF");  // U+FFFE and U+FFFF
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

std::string_view entity(char character) {
  switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return "";
  }
}

/// The number of bytes of the character that begins at `at`.
size_t length_at(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && !starts_character(text[end])) ++end;
  return end - at;
}

std::string_view anchor_name(Anchor anchor) {
  switch (anchor) {
    case Anchor::kMiddle: return "middle";
    case Anchor::kEnd: return "end";
    default: return "start";
  }
}

/// For the reader who prefers dark pages; kept by the class of the <svg>, so that a page around it is left alone.
constexpr std::string_view kStyle =
    "<style>@media screen and (prefers-color-scheme: dark) {"
    " .ventris-figure [style*=\"--fill\"] { fill: var(--fill); }"
    " .ventris-figure [style*=\"--line\"] { stroke: var(--line); } }"
    " .ventris-figure .spot:hover > .tip { display: inline; }"
    " .ventris-figure .spot:hover > rect { fill-opacity: 0.09; }</style>\n";

std::string fill_attributes(Colour colour) {
  return fmt::format(R"(fill="{}" style="--fill:{}")", hex(colour.light), hex(colour.dark));
}

std::string stroke_attributes(const LineStyle& style) {
  std::string text = fmt::format(R"(stroke="{}" stroke-width="{}" style="--line:{}")", hex(style.colour.light),
                                 number(style.width), hex(style.colour.dark));
  if (!style.dash.empty()) text += fmt::format(R"( stroke-dasharray="{}")", style.dash);
  return text;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = length_at(text, at);
    const std::string_view name = entity(text[at]);
    out += !name.empty() ? name : is_xml(text.substr(at)) ? text.substr(at, length) : "\xEF\xBF\xBD";
    at += length;
  }
  return out;
}

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double size) {
  double ems = 0;
  for (size_t at = 0; at < text.size(); at += length_at(text, at)) {
    const bool wide = static_cast<unsigned char>(text[at]) >= 0xE3;  // U+3000 and above: mostly East Asian
    ems += wide ? 1.0 : 0.58;
  }
  return ems * size;
}

std::string shortened(std::string_view text, size_t most) {
  size_t count = 0, cut = 0;
  for (size_t at = 0; at < text.size(); at += length_at(text, at)) {
    if (++count == most) cut = at;
  }
  return count <= most ? std::string(text) : std::string(text.substr(0, cut)) + "\u2026";
}

std::vector<std::string> wrapped(std::string_view text, double width, double size) {
  std::vector<std::string> lines{""};
  const auto fits = [&](std::string_view more) { return text_width(lines.back() + std::string(more), size) <= width; };
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' ', 1));  // with the space before it
    text.remove_prefix(word.size());
    if (!fits(word) && !lines.back().empty()) {
      lines.emplace_back();
      word.remove_prefix(word.starts_with(' ') ? 1 : 0);
    }
    for (size_t at = 0; at < word.size(); at += length_at(word, at)) {
      const std::string_view character = word.substr(at, length_at(word, at));
      if (!fits(character) && !lines.back().empty()) lines.emplace_back();
      lines.back() += character;
    }
  }
  return lines;
}

Svg::Svg(double width, double height, std::string_view title) {
  text_ = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="ventris-figure" width="{0}" height="{1}" viewBox="0 0 {0} {1}" style="--width:{0}px" role="img" )"
      R"(font-family="system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Arial, sans-serif">)"
      "\n<title>{2}</title>\n{3}",
      number(width), number(height), escape(title), kStyle);
  rect(0, 0, width, height, kGround);
}

void Svg::rect(double x, double y, double width, double height, Colour fill) {
  text_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", number(x), number(y), number(width),
                       number(height), fill_attributes(fill));
}

void Svg::line(double x1, double y1, double x2, double y2, const LineStyle& style) {
  text_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", number(x1), number(y1), number(x2),
                       number(y2), stroke_attributes(style));
}

void Svg::circle(double x, double y, double radius, Colour fill) {
  text_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", number(x), number(y), number(radius),
                       fill_attributes(fill));
}

void Svg::stroke(std::string_view path, const LineStyle& style) {
  text_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n", path, stroke_attributes(style));
}

void Svg::text(double x, double y, std::string_view text, const TextStyle& style) {
  text_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}" {})", number(x), number(y), number(style.size),
                       fill_attributes(style.colour));
  if (style.anchor != Anchor::kStart) text_ += fmt::format(R"( text-anchor="{}")", anchor_name(style.anchor));
  if (!is_ascii(text)) text_ += R"( unicode-bidi="isolate")";
  if (style.bold) text_ += R"( font-weight="600")";
  if (style.angle != 0) {
    text_ += fmt::format(" transform=\"rotate({} {} {})\"", number(style.angle), number(x), number(y));
  }
  text_ += fmt::format(">{}</text>\n", escape(text));
}

void Svg::begin_part(double x, double y) {
  text_ += fmt::format("<g transform=\"translate({} {})\">\n", number(x), number(y));
}

void Svg::begin_cells(double x, double y, double scale_x, double scale_y) {
  text_ += fmt::format("<g transform=\"translate({} {}) scale({:.4f} {:.4f})\" shape-rendering=\"crispEdges\">\n",
                       number(x), number(y), scale_x, scale_y);
}

void Svg::cells(std::string_view path, Colour fill) {
  text_ += fmt::format("<path d=\"{}\" {}/>\n", path, fill_attributes(fill));
}

void Svg::cell_tip(size_t column, size_t row, std::string_view tip) {
  text_ += fmt::format(R"(<rect x="{}" y="{}" width="1" height="1" fill-opacity="0"><title>{}</title></rect>)", column,
                       row, escape(tip));
}

void Svg::begin_spot(double x, double y, double width, double height) {
  text_ += fmt::format(
      "<g class=\"spot\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"0\" {}/>"
      "<title/>",  // without it, browsers show the title of the drawing
      number(x), number(y), number(width), number(height), fill_attributes(kText));
}

void Svg::begin_tip() { text_ += "<g class=\"tip\" display=\"none\" pointer-events=\"none\">\n"; }

void Svg::end() { text_ += "</g>\n"; }

std::string Svg::finish() const { return text_ + "</svg>\n"; }

}  // namespace ventris::figures

#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/human.h"
#include "figures/colours.h"
#include "figures/svg.h"

namespace ventris::report {
namespace {

using figures::escape;

/// Nothing is fetched, run or sent, whatever the page contains. Only the page's own style sheet applies.
constexpr const char* kPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

constexpr const char* kStyle = R"(
body { margin: 0; background: var(--page); color: var(--text); line-height: 1.5;
       font: 15px system-ui, -apple-system, "Segoe UI", "Noto Sans", Arial, sans-serif; }
main { max-width: 1220px; margin: 0 auto; padding: 24px 20px 60px; }
header { margin-bottom: 18px; }
h1 { margin: 0; font-size: 28px; color: var(--title); overflow-wrap: anywhere; }
header p, .note { margin: 2px 0 0; color: var(--quiet); font-size: 13px; overflow-wrap: anywhere; }
section { margin-top: 22px; padding: 18px 22px 22px; background: var(--ground); border: 1px solid var(--grid);
          border-radius: 10px; }
h2 { margin: 0 0 12px; font-size: 19px; color: var(--title); }
summary { cursor: pointer; }
summary h2 { display: inline; }
details[open] summary { margin-bottom: 12px; }
h3 { margin: 20px 0 8px; font-size: 15px; font-weight: 600; overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(112px, 1fr)); gap: 10px; }
.card { padding: 10px 12px; background: var(--ground); border: 1px solid var(--grid); border-radius: 10px; }
.card b { display: block; font-size: 19px; line-height: 1.3; color: var(--title); font-variant-numeric: tabular-nums;
          overflow-wrap: anywhere; }
.card span { display: block; color: var(--quiet); font-size: 12.5px; line-height: 1.35; }
.two, .three { display: grid; gap: 18px 24px; align-items: start; }
.two { grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); }
.three { grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); }
.two > *, .three > * { min-width: 0; }
figure, .scroll { margin: 0; overflow-x: auto; }
svg { display: block; width: 100%; height: auto; min-width: calc(0.84 * var(--width));
      max-width: calc(1.2 * var(--width)); }
table { width: 100%; border-collapse: collapse; font-size: 13.5px; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--grid); text-align: start; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
td { overflow-wrap: anywhere; }
td:first-child { color: var(--quiet); }
td:first-child { width: 1%; white-space: nowrap; }
td.strong { font-weight: 700; color: var(--title); }
.numbers th, .numbers td:not(:first-child) { white-space: nowrap; }
.numbers th:not(:first-child), .numbers td:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
.numbers th:last-child, .numbers td:last-child { padding-right: 2px; }
.big { margin: 4px 0 10px; font-size: 19px; font-weight: 600; }
blockquote { margin: 8px 0 12px; padding: 2px 12px; border-inline-start: 3px solid var(--border);
             overflow-wrap: anywhere; }
blockquote p { margin: 2px 0; }
blockquote span { color: var(--quiet); font-size: 12.5px; }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
@media (max-width: 600px) { td:first-child { white-space: normal; min-width: 5em; } main { padding: 16px 12px 40px; } section { padding: 14px 14px 16px; } h1 { font-size: 23px; } }
@media print { body { background: #fff; } section, .card { break-inside: avoid; } }
)";

/// The colours of the page are those of its figures.
std::string colour_variables(uint32_t figures::Colour::* mode) {
  const std::array<std::pair<const char*, figures::Colour>, 8> colours{{{"page", figures::kPage},
                                                                        {"ground", figures::kGround},
                                                                        {"title", figures::kTitle},
                                                                        {"text", figures::kText},
                                                                        {"quiet", figures::kQuiet},
                                                                        {"grid", figures::kGrid},
                                                                        {"border", figures::kBorder},
                                                                        {"mark", figures::kOn}}};
  std::string text;
  for (const auto& [name, colour] : colours) text += fmt::format(" --{}: {};", name, figures::hex(colour.*mode));
  return text;
}

std::string style() {
  return fmt::format(
      "\n:root {{ color-scheme: light dark;{} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{{} }} }}{}",
      colour_variables(&figures::Colour::light), colour_variables(&figures::Colour::dark), kStyle);
}

}  // namespace

std::string page(std::string_view title, std::string_view body_html) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      kPolicy, escape(title), style(), body_html);
}

std::string section(std::string_view heading, std::string_view html) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}\n</section>\n", escape(heading), html);
}

std::string folded_section(std::string_view heading, std::string_view html) {
  return fmt::format("<section>\n<details>\n<summary><h2>{}</h2></summary>\n{}\n</details>\n</section>\n",
                     escape(heading), html);
}

std::string language_attributes(std::string_view language) {
  return (language.empty() ? "" : fmt::format(" lang=\"{}\"", escape(language))) + " dir=\"auto\"";
}

std::string note(std::string_view text) { return fmt::format("<p class=\"note\">{}</p>\n", escape(text)); }

std::string figure(std::string_view svg) { return svg.empty() ? "" : fmt::format("<figure>\n{}</figure>\n", svg); }

std::string card_row(const std::vector<Card>& cards) {
  std::string html = "<div class=\"cards\">\n";
  for (const Card& card : cards) {
    html += fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", escape(card.value), escape(card.label));
  }
  return html + "</div>\n";
}

std::string side_by_side(Columns most, std::string_view html) {
  return fmt::format("<div class=\"{}\">\n{}</div>\n", most == Columns::kTwo ? "two" : "three", html);
}

std::string html(const Table& table) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\">\n";
  text += table.numbers ? "<table class=\"numbers\">\n<tr>" : "<table>\n<tr>";
  for (const std::string& head : table.heads) text += fmt::format("<th>{}</th>", escape(head));
  for (size_t row = 0; row < table.rows.size(); ++row) {
    text += "</tr>\n<tr>";
    for (size_t column = 0; column < table.rows[row].size(); ++column) {
      const bool strong = std::ranges::count(table.strong, std::pair{row, column}) > 0;
      const bool last = column > 0 && column + 1 == table.heads.size();
      text += fmt::format("<td{}{}>{}</td>", language_attributes(last ? table.language : ""),
                          strong ? " class=\"strong\"" : "", escape(table.rows[row][column]));
    }
  }
  return text + "</tr>\n</table>\n</div>\n";
}

std::string rounded(double number) {
  if (!std::isfinite(number)) return "\u2013";
  if (number >= 1e9) return fmt::format("{:.1f} G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.1f} M", number / 1e6);
  return core::grouped(std::llround(number));
}

std::string hours_text(double minutes) {
  if (!std::isfinite(minutes)) return "\u2013";
  const auto whole = static_cast<int64_t>(std::llround(minutes));
  return fmt::format("{}:{:02d}", whole / 60, whole % 60);
}

}  // namespace ventris::report

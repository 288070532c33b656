#include "report/page.h"

#include <fmt/format.h>

#include <cmath>

#include "core/human.h"
#include "figures/svg.h"

namespace ventris::report {
namespace {

using figures::escape;

/// Nothing is fetched, run or sent, whatever the page contains. Only the page's own style sheet applies.
constexpr const char* kPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

constexpr const char* kStyle = R"(
:root { color-scheme: light; }
body { margin: 0; background: #f4f5f7; color: #1d2330; line-height: 1.5;
       font: 15px system-ui, -apple-system, "Segoe UI", "Noto Sans", Arial, sans-serif; }
main { max-width: 1220px; margin: 0 auto; padding: 24px 20px 60px; }
header { margin-bottom: 18px; }
h1 { margin: 0; font-size: 28px; overflow-wrap: anywhere; }
header p, .note { margin: 2px 0 0; color: #5d6675; font-size: 13px; }
section { margin-top: 22px; padding: 18px 22px 22px; background: #fff; border: 1px solid #dfe3e9; border-radius: 10px; }
h2 { margin: 0 0 12px; font-size: 19px; }
h3 { margin: 20px 0 8px; font-size: 15px; font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(112px, 1fr)); gap: 10px; }
.card { padding: 10px 12px; background: #fff; border: 1px solid #dfe3e9; border-radius: 10px; }
.card b { display: block; font-size: 19px; font-variant-numeric: tabular-nums; white-space: nowrap; }
.card span { color: #5d6675; font-size: 12.5px; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 18px 26px;
       align-items: start; }
figure { margin: 0; overflow-x: auto; }
svg { display: block; max-width: 100%; height: auto; }
table { width: 100%; border-collapse: collapse; font-size: 13.5px; }
th, td { padding: 5px 10px 5px 0; border-bottom: 1px solid #e9ecf0; text-align: start; vertical-align: top; }
th { color: #5d6675; font-weight: 600; white-space: nowrap; }
td { overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; color: #5d6675; width: 1%; }
.numbers th:not(:first-child), .numbers td:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
.big { margin: 4px 0 10px; font-size: 19px; font-weight: 600; }
@media print { body { background: #fff; } section, .card { break-inside: avoid; } }
)";

}  // namespace

std::string page(std::string_view title, std::string_view body_html) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      kPolicy, escape(title), kStyle, body_html);
}

std::string section(std::string_view heading, std::string_view html) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}\n</section>\n", escape(heading), html);
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

std::string html(const Table& table) {
  std::string text = table.numbers ? "<table class=\"numbers\">\n<tr>" : "<table>\n<tr>";
  for (const std::string& head : table.heads) text += fmt::format("<th>{}</th>", escape(head));
  for (const auto& row : table.rows) {
    text += "</tr>\n<tr>";
    for (const std::string& cell : row) text += fmt::format("<td dir=\"auto\">{}</td>", escape(cell));
  }
  return text + "</tr>\n</table>\n";
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

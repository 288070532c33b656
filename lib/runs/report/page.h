#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The HTML parts of a report. Texts must be valid UTF-8 and are escaped; parameters named html are HTML already.
namespace ventris::report {

/// A complete document with its style sheet.
std::string page(std::string_view title, std::string_view body_html);

std::string section(std::string_view heading, std::string_view html);

/// A section that shows only its heading until it is opened.
std::string folded_section(std::string_view heading, std::string_view html);

/// ' lang="de" dir="auto"' of an element with text in this language; empty = unknown, which has only the direction.
std::string language_attributes(std::string_view language);
std::string note(std::string_view text);

/// An SVG document in a frame; empty for an empty one. On a screen that is too narrow for it to be legible, the frame
/// scrolls.
std::string figure(std::string_view svg);

enum class Columns { kTwo, kThree };

/// Figures or tables side by side, as many as fit.
std::string side_by_side(Columns most, std::string_view html);

/// A number at the top of the report.
struct Card {
  std::string value, label;
};
std::string card_row(const std::vector<Card>& cards);

/// A table of texts; each cell has its own text direction. A table that is wider than its box scrolls in it.
struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  bool numbers = false;  ///< right-align all cells except the first
  std::vector<std::pair<size_t, size_t>> strong{};  ///< row and column of the cells to emphasise
  std::string language{};  ///< of the last column; empty = unknown
};
std::string html(const Table& table);

/// "12.3 M", or below a million "345,678"; a dash if it is not finite.
std::string rounded(double number);

/// "1:05" for 65 minutes; a dash if it is not finite.
std::string hours_text(double minutes);

}  // namespace ventris::report

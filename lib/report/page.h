#pragma once
#include <string>
#include <string_view>
#include <vector>

/// The HTML that a report is put together of. Texts are valid UTF-8; what is called html is HTML already.
namespace ventris::report {

/// A whole document with its style.
std::string page(std::string_view title, std::string_view body_html);

std::string section(std::string_view heading, std::string_view html);
std::string note(std::string_view text);

/// An SVG document in its frame; nothing for an empty one.
std::string figure(std::string_view svg);

/// A figure to see first.
struct Card {
  std::string value, label;
};
std::string card_row(const std::vector<Card>& cards);

/// Cells are texts, each of its own direction.
struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  bool numbers = false;  ///< cells but the first are to the right
};
std::string html(const Table& table);

/// "12.3 M", and under a million "345,678"; a dash if it is not finite.
std::string rounded(double number);

/// "1:05" for 65 minutes; a dash if it is not finite.
std::string hours_text(double minutes);

}  // namespace ventris::report

#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "figures/colours.h"

namespace ventris::figures {

/// Escapes text for XML: escapes markup, and replaces characters that XML does not allow by U+FFFD. `text` must be
/// valid UTF-8; the result is, too.
std::string escape(std::string_view text);

/// A number for SVG: at most two decimals, never with an exponent.
std::string number(double value);

/// The approximate width of a text in pixels; `size` is the font size in pixels.
double text_width(std::string_view text, double size);

/// A text of at most `most` characters; a longer text is cut and ends with an ellipsis.
std::string shortened(std::string_view text, size_t most);

/// A text in lines that are at most `width` pixels wide; it is cut between words, and within a longer word.
std::vector<std::string> wrapped(std::string_view text, double width, double size);

enum class Anchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 12;                ///< pixels
  Anchor anchor = Anchor::kStart;  ///< which end of the text is at x
  Colour colour = kText;
  bool bold = false;
  double angle = 0;  ///< degrees, clockwise about (x, y)
};

struct LineStyle {
  Colour colour = kText;
  double width = 1;         ///< pixels
  std::string_view dash{};  ///< stroke-dasharray; empty = solid
};

/// Builds an SVG drawing. Positions and sizes are pixels from the top left. It refers to nothing outside the drawing.
///
/// The colours for light ground are presentation attributes, which every program that shows SVG understands, also under
/// a Content-Security-Policy without styles. Each element also carries its colour for dark ground. A style sheet in the
/// drawing applies it where the reader prefers dark pages, in a file of its own as well as within a page.
class Svg {
 public:
  /// `title` is for screen readers and for the tooltip.
  Svg(double width, double height, std::string_view title);

  void rect(double x, double y, double width, double height, Colour fill);
  void line(double x1, double y1, double x2, double y2, const LineStyle& style);
  void circle(double x, double y, double radius, Colour fill);
  /// Draws `path` (in SVG's path syntax) without filling it.
  void stroke(std::string_view path, const LineStyle& style);
  /// A text with its own direction (right to left for such scripts), which does not affect other texts.
  void text(double x, double y, std::string_view text, const TextStyle& style);

  /// Until end(), everything is moved to (x, y).
  void begin_part(double x, double y);
  /// Until end(), everything is moved to (x, y) and scaled, and edges are drawn without smoothing.
  void begin_cells(double x, double y, double scale_x, double scale_y);
  /// Fills cells with one colour; the unit of `path` is a cell.
  void cells(std::string_view path, Colour fill);
  /// An invisible cell with a tooltip, at a column and row of begin_cells().
  void cell_tip(size_t column, size_t row, std::string_view tip);
  /// Until end(), an invisible area. A part between begin_tip() and end() is shown while the pointer is over the area.
  void begin_spot(double x, double y, double width, double height);
  void begin_tip();
  void end();

  /// The whole document.
  std::string finish() const;

 private:
  std::string text_;
};

}  // namespace ventris::figures

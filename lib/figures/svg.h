#pragma once
#include <string>
#include <string_view>

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

enum class Anchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 12;                ///< pixels
  Anchor anchor = Anchor::kStart;  ///< which end of the text is at x
  std::string_view colour = "#333333";
  bool bold = false;
  double angle = 0;  ///< degrees, clockwise about (x, y)
};

struct LineStyle {
  std::string_view colour = "#333333";
  double width = 1;         ///< pixels
  std::string_view dash{};  ///< stroke-dasharray; empty = solid
};

/// Builds an SVG drawing on white. Positions and sizes are pixels from the top left. It uses only presentation
/// attributes, so that it works under a Content-Security-Policy without styles, and refers to nothing outside the
/// drawing.
class Svg {
 public:
  /// `title` is for screen readers and for the tooltip.
  Svg(double width, double height, std::string_view title);

  void rect(double x, double y, double width, double height, std::string_view fill);
  void line(double x1, double y1, double x2, double y2, const LineStyle& style);
  void circle(double x, double y, double radius, std::string_view fill);
  /// Draws `path` (in SVG's path syntax) without filling it.
  void stroke(std::string_view path, const LineStyle& style);
  /// A text with its own direction (right to left for such scripts), which does not affect other texts.
  void text(double x, double y, std::string_view text, const TextStyle& style);

  /// Until end(), everything is moved to (x, y).
  void begin_part(double x, double y);
  /// Until end(), everything is moved to (x, y) and scaled, and edges are drawn without smoothing.
  void begin_cells(double x, double y, double scale_x, double scale_y);
  /// Fills cells with one colour; the unit of `path` is a cell.
  void cells(std::string_view path, std::string_view fill);
  void end();

  /// The whole document.
  std::string finish() const;

 private:
  std::string text_;
};

}  // namespace ventris::figures

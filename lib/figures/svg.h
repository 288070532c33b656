#pragma once
#include <string>
#include <string_view>

namespace ventris::figures {

/// Text as it may stand in XML: markup is escaped, and characters that XML does not have become U+FFFD. `text` is valid
/// UTF-8, and so is the result.
std::string escape(std::string_view text);

/// A number of a drawing: at most two decimals, never an exponent.
std::string number(double value);

/// About how wide a text is, in pixels, at a font size in pixels.
double text_width(std::string_view text, double size);

/// The first `most` characters of a longer text, the last of them an ellipsis.
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
  std::string_view dash{};  ///< of stroke-dasharray; empty = solid
};

/// An SVG drawing in the making, on white. Positions and sizes are pixels from the top left. Only presentation
/// attributes are used, so that it draws under a Content-Security-Policy without styles, and nothing in it refers to
/// anything outside.
class Svg {
 public:
  /// `title` is for screen readers and as a tooltip.
  Svg(double width, double height, std::string_view title);

  void rect(double x, double y, double width, double height, std::string_view fill);
  void line(double x1, double y1, double x2, double y2, const LineStyle& style);
  void circle(double x, double y, double radius, std::string_view fill);
  /// `path` in SVG's path language, not filled.
  void stroke(std::string_view path, const LineStyle& style);
  /// A text of its own direction (right to left where its letters are), which cannot reorder its neighbours.
  void text(double x, double y, std::string_view text, const TextStyle& style);

  /// Until end() everything is moved to (x, y) and then scaled; edges are then drawn without smoothing.
  void begin_cells(double x, double y, double scale_x, double scale_y);
  /// Cells filled with one colour: `path` in units of cells.
  void cells(std::string_view path, std::string_view fill);
  void end();

  /// The whole document.
  std::string finish() const;

 private:
  std::string text_;
};

}  // namespace ventris::figures

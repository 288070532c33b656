#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::markup {

/// Reads HTML in pieces, such as the blocks of HTML in a Markdown document, and knows whether what follows is inside an
/// element of code that has no end tag yet. A browser decides where it ends (code_ends.h).
class OpenCode {
 public:
  /// The next tags and texts.
  void read(std::string_view html);

  bool any() const { return !codes_.empty() || !raw_.empty(); }

  /// An element begins or ends that is not read, such as the <li> of a list of Markdown.
  void enter() { around_.push_back(count_); }
  void leave(std::string_view name);

 private:
  struct Code {
    std::string name;
    size_t number = 0;
  };
  void start(const std::string& name, bool code);
  void end(const std::string& name);

  std::vector<Code> codes_;
  std::map<std::string, std::vector<size_t>, std::less<>> others_;  // the numbers of all other open elements, by name
  std::vector<size_t> around_;  // the number of the first element inside each that is not read
  std::string raw_;  // the name of an element without tags that is open, such as <textarea>
  size_t count_ = 0;  // of start tags
};

}  // namespace ventris::markup

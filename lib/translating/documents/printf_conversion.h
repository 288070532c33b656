#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::documents {

/// What follows a "%" in a text: a conversion of printf as C, Python, Ruby, Go, Java, Perl, Pascal and others have it.
class PrintfConversion {
 public:
  /// `at`: the byte behind the "%", or behind the name of an argument: "(name)" in Python.
  PrintfConversion(std::string_view text, size_t at);

  /// The byte behind it; 0 = there is none.
  size_t end() const { return end_; }
  /// The same, and 0 for one with a space among its flags, as "30% of" could be.
  size_t end_without_space() const { return has_space_ ? 0 : end_; }
  bool has_position() const { return has_position_; }  ///< the number of an argument: "2$", "[2]", "2:"
  bool has_digits() const { return has_digits_; }      ///< a position, a width or a precision
  bool has_space() const { return has_space_; }        ///< among its flags

  /// Whether "," or "(" is among the flags here, and no name in brackets: "%,d", "%(,.2f" of Java.
  static bool has_flag_of_java(std::string_view text, size_t at);

 private:
  void skip(std::string_view characters);
  bool is_at(std::string_view sign) const { return text_.substr(at_).starts_with(sign); }
  bool is_position_of_pascal(size_t colon) const;
  void skip_number();
  void skip_index();
  void skip_name();
  void skip_rare_length();
  bool is_date() const;
  bool is_of_two_letters() const;
  size_t step_back(std::string_view conversions, size_t least) const;

  std::string_view text_;
  size_t at_, end_ = 0;
  bool has_position_ = false, has_digits_ = false, has_space_ = false;
};

}  // namespace ventris::documents

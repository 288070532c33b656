#include "documents/printf_conversion.h"

#include <algorithm>

namespace ventris::documents {
namespace {

constexpr size_t kNoConversion = 0;
constexpr size_t kMostOfName = 100;
constexpr std::string_view kDecimal = "0123456789";

bool is_one_of(std::string_view text, size_t at, std::string_view characters) {
  return at < text.size() && characters.find(text[at]) != std::string_view::npos;
}
bool is_letter_at(std::string_view text, size_t at) {
  return at < text.size() && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z'));
}

}  // namespace

PrintfConversion::PrintfConversion(std::string_view text, size_t at) : text_(text), at_(at) {
  const size_t position = std::min(text.find_first_not_of(kDecimal, at_), text.size());
  has_position_ = position > at_ && text.substr(position).starts_with('$');
  if (has_position_) at_ = position + 1;
  if (!has_position_ && position > at_ && is_position_of_pascal(position)) {
    has_position_ = true;
    at_ = position + 1;
  }
  const size_t flags = at_;
  skip("-+ #0'");
  const bool space = text_.substr(flags, at_ - flags).find(' ') != std::string_view::npos;
  if (!space && has_flag_of_java(text_, at_)) skip("-+#0',(");
  if (is_at("<") && is_letter_at(text_, at_ + 1)) ++at_;  // of Java: the last argument again
  skip_index();
  has_space_ = text.substr(flags, at_ - flags).find(' ') != std::string_view::npos;
  const size_t digits = at_;
  skip_number();
  if (is_at(".")) {
    ++at_;
    skip_index();
    skip_number();
  }
  skip_index();
  skip_name();
  has_digits_ = has_position_ || at_ > digits;
  skip_rare_length();
  skip("hlqLjzt");
  const std::string_view conversions = has_space_ ? "difeEgG" : "diouxXeEfFgGaAcCsSpnm@rvqbtTU";
  const bool known = is_one_of(text, at_, conversions);
  end_ = known ? at_ + 1 : step_back(conversions, flags);
  if (is_date() || is_of_two_letters()) ++end_;
}

bool PrintfConversion::has_flag_of_java(std::string_view text, size_t at) {
  const size_t end = std::min(text.find_first_not_of("-+#0',(123456789.", at), text.size());
  const std::string_view flags = text.substr(std::min(at, end), end - std::min(at, end));
  const bool conversion = is_one_of(text, end, "dfeEgGoxX");
  return conversion && flags.find_first_of(",(") != std::string_view::npos && !is_letter_at(text, end + 1);
}

void PrintfConversion::skip(std::string_view characters) {
  at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
}

void PrintfConversion::skip_number() {
  if (is_at("*")) {
    ++at_;
    const size_t digits = std::min(text_.find_first_not_of(kDecimal, at_), text_.size());
    if (digits > at_ && text_.substr(digits).starts_with('$')) at_ = digits + 1;  // "%1$*2$d"
  } else {
    skip(kDecimal);
  }
}

/// "%0:s": the number of an argument in Pascal.
bool PrintfConversion::is_position_of_pascal(size_t colon) const {
  if (!text_.substr(colon).starts_with(':')) return false;
  const size_t letter = std::min(text_.find_first_not_of("-0123456789.", colon + 1), text_.size());
  const bool known = is_one_of(text_, letter, "duefgnmspx");
  return known && !is_letter_at(text_, letter + 1);
}

/// "%-10<name>s" of Ruby.
void PrintfConversion::skip_name() {
  if (!is_at("<")) return;
  const size_t end = std::min(text_.find_first_of("<> \n", at_ + 1), text_.size());
  if (end < text_.size() && text_[end] == '>' && end > at_ + 1 && end < at_ + kMostOfName) at_ = end + 1;
}

/// "I64" of Windows, "I" and "Z" of glibc, "w32" and "w" of C and GCC, before a conversion of a number.
void PrintfConversion::skip_rare_length() {
  const auto is_number = [&](size_t at) { return is_one_of(text_, at, "diouxX") && !is_letter_at(text_, at + 1); };
  size_t end = at_ + 1;
  if (is_at("I64") || is_at("I32")) {
    at_ += 3;
  } else if (is_at("I") || is_at("Z")) {
    if (is_number(end)) at_ = end;
  } else if (is_at("w")) {
    if (text_.substr(end).starts_with('f')) ++end;
    end = std::min(text_.find_first_not_of(kDecimal, end), text_.size());
    if (is_number(end)) at_ = end;
  }
}

/// "%vd" of Perl, and "%qD" of GCC, for which "v" and "q" are conversions of Go.
bool PrintfConversion::is_of_two_letters() const {
  if (end_ == kNoConversion || end_ >= text_.size() || is_letter_at(text_, end_ + 1)) return false;
  if (text_[end_ - 1] == 'v') return text_[end_] == 'd';
  return text_[end_ - 1] == 'q' && is_one_of(text_, end_, "ADEFHKLPSTVX");
}

/// "[2]" of Go, the number of an argument.
void PrintfConversion::skip_index() {
  const size_t end = std::min(text_.find_first_not_of(kDecimal, at_ + 1), text_.size());
  if (!is_at("[") || end == at_ + 1 || !text_.substr(end).starts_with(']')) return;
  at_ = end + 1;
  has_position_ = true;
}

/// "%tY" and "%1$tY" of Java.
bool PrintfConversion::is_date() const {
  constexpr std::string_view kFields = "HIklMSLNpzZsQBbhAaCYyjmdeRTrDFc";
  if (end_ == kNoConversion || end_ >= text_.size() || (text_[end_ - 1] != 't' && text_[end_ - 1] != 'T')) return false;
  const bool alone = end_ + 1 >= text_.size() || !is_letter_at(text_, end_ + 1);
  return is_one_of(text_, end_, kFields) && (has_position_ || alone);
}

/// "q" is a length in C and a conversion in Go.
size_t PrintfConversion::step_back(std::string_view conversions, size_t least) const {
  return at_ > least && conversions.find(text_[at_ - 1]) != std::string_view::npos ? at_ : kNoConversion;
}

}  // namespace ventris::documents

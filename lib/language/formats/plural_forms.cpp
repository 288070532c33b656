#include "formats/plural_forms.h"

#include <array>
#include <charconv>

namespace ventris::formats {
namespace {

using Value = std::optional<uint64_t>;

constexpr int kDeepest = 100;  // brackets and signs inside each other

/// Computes a formula in the syntax of C.
class Formula {
 public:
  Formula(std::string_view text, uint64_t n) : text_(text), n_(n) {}

  Value compute() {
    const Value value = choice();
    skip_spaces();
    return failed_ || at_ < text_.size() ? std::nullopt : value;
  }

 private:
  struct Operator {
    std::string_view sign;
    int level;  // of precedence, the lowest first
  };
  static constexpr std::array<Operator, 13> kOperators{{{"||", 0},
                                                        {"&&", 1},
                                                        {"==", 2},
                                                        {"!=", 2},
                                                        {"<=", 3},
                                                        {">=", 3},
                                                        {"<", 3},
                                                        {">", 3},
                                                        {"+", 4},
                                                        {"-", 4},
                                                        {"*", 5},
                                                        {"/", 5},
                                                        {"%", 5}}};
  static constexpr int kHighest = 5;

  void skip_spaces() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(std::string_view sign) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  uint64_t fail() {
    failed_ = true;
    return 0;
  }

  uint64_t choice() {
    if (++depth_ > kDeepest) return fail();
    const uint64_t condition = binary(0);
    uint64_t value = condition;
    if (take("?")) {
      const uint64_t yes = choice();
      if (!take(":")) return fail();
      const uint64_t no = choice();
      value = condition != 0 ? yes : no;
    }
    --depth_;
    return value;
  }
  uint64_t binary(int level) {
    if (level > kHighest) return unary();
    uint64_t left = binary(level + 1);
    while (!failed_) {
      const std::string_view sign = operator_of(level);
      if (sign.empty()) break;
      left = result(sign, left, binary(level + 1));
    }
    return left;
  }
  std::string_view operator_of(int level) {
    for (const Operator& one : kOperators) {
      if (one.level == level && take(one.sign)) return one.sign;
    }
    return {};
  }
  uint64_t result(std::string_view sign, uint64_t left, uint64_t right) {
    if (sign == "||") return static_cast<uint64_t>(left != 0 || right != 0);
    if (sign == "&&") return static_cast<uint64_t>(left != 0 && right != 0);
    if (sign == "==") return static_cast<uint64_t>(left == right);
    if (sign == "!=") return static_cast<uint64_t>(left != right);
    if (sign == "<=") return static_cast<uint64_t>(left <= right);
    if (sign == ">=") return static_cast<uint64_t>(left >= right);
    if (sign == "<") return static_cast<uint64_t>(left < right);
    if (sign == ">") return static_cast<uint64_t>(left > right);
    if (sign == "+") return left + right;
    if (sign == "-") return left - right;
    if (sign == "*") return left * right;
    if (right == 0) return fail();
    return sign == "/" ? left / right : left % right;
  }
  uint64_t unary() {
    if (++depth_ > kDeepest) return fail();
    uint64_t value = 0;
    if (take("!")) {
      value = static_cast<uint64_t>(unary() == 0);
    } else if (take("(")) {
      value = choice();
      if (!take(")")) return fail();
    } else if (take("n")) {
      value = n_;
    } else {
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc()) return fail();
      at_ = static_cast<size_t>(end - text_.data());
    }
    --depth_;
    return value;
  }

  std::string_view text_;
  uint64_t n_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

/// The text behind "name=", up to a semicolon.
std::string_view value_of(std::string_view field, std::string_view name) {
  const size_t begin = field.find(name);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = field.substr(begin + name.size());
  return rest.substr(0, rest.find(';'));
}

}  // namespace

std::optional<PluralForms> PluralForms::parse(std::string_view field) {
  PluralForms forms;
  const Value count = Formula(value_of(field, "nplurals="), 0).compute();
  forms.formula_ = value_of(field, " plural=");
  if (forms.formula_.empty()) forms.formula_ = value_of(field, ";plural=");
  if (!count || *count == 0) return {};
  forms.count_ = *count;
  const Value one = forms.form_of(1);
  if (!one || *one >= *count) return {};
  forms.for_one_ = forms.is_only_for_one();
  return forms;
}

std::optional<uint64_t> PluralForms::form_of(uint64_t number) const { return Formula(formula_, number).compute(); }

bool PluralForms::is_only_for_one() const {
  constexpr uint64_t kMost = 1000;
  const Value one = form_of(1);
  for (uint64_t number = 0; number <= kMost; ++number) {
    if (number != 1 && form_of(number) == one) return false;
  }
  return true;
}

}  // namespace ventris::formats

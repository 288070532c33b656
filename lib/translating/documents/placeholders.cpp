#include "documents/placeholders.h"

#include <unicode/regex.h>
#include <unicode/utext.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "documents/builtin_placeholders.h"
#include "formats/code_in_messages.h"
#include "markup/tex_formulas.h"
#include "text/line_reader.h"

namespace ventris::documents {
namespace {

using Pattern = std::unique_ptr<icu::RegexPattern>;

/// Ends the search of an expression in a text that takes far more than one whose time grows with the size of the text.
/// ICU calls it after every 10,000 steps, which take less than a millisecond.
class Deadline {
 public:
  explicit Deadline(std::string_view text) : left_(kLeast + text.size() / kBytesOfACall) {}

  static UBool goes_on(const void* self, int32_t /*steps*/) {
    size_t& left = static_cast<const Deadline*>(self)->left_;
    return static_cast<UBool>(left > 0 && left-- > 0 && core::stop_signal() == 0);
  }

 private:
  static constexpr size_t kLeast = 2000, kBytesOfACall = 100;
  mutable size_t left_;
};

Pattern compile(const std::string& expression, bool literal, const std::string& where) {
  UErrorCode error = U_ZERO_ERROR;
  UParseError place{};
  const uint32_t flags = literal ? UREGEX_LITERAL : 0;
  Pattern pattern(icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(expression), flags, place, error));
  if (U_FAILURE(error) != 0) {
    fail<ConfigError>(where, ": not a regular expression: /", expression, "/ (", u_errorName(error), " at character ",
                      place.offset, ")");
  }
  return pattern;
}

void read_file(const std::string& path, std::vector<Pattern>& patterns) {
  text::LineReader reader(path, {.strict = true});
  std::string line;
  while (reader.next(line)) {
    if (line.empty()) continue;
    const bool literal = line.size() < 3 || !line.starts_with('/') || !line.ends_with('/');
    const std::string where = "placeholders: " + path + ":" + std::to_string(reader.counts().lines);
    patterns.push_back(compile(literal ? line : line.substr(1, line.size() - 2), literal, where));
  }
}

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};
using Text = std::unique_ptr<UText, CloseText>;

void find_matches(const icu::RegexPattern& pattern, std::string_view text, std::vector<ByteRange>& found) {
  UErrorCode error = U_ZERO_ERROR;
  const Text utf8(utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &error));
  const std::unique_ptr<icu::RegexMatcher> matcher(pattern.matcher(error));
  const Deadline deadline(text);
  if (U_SUCCESS(error) != 0) {
    matcher->setMatchCallback(Deadline::goes_on, &deadline, error);
    matcher->reset(utf8.get());
  }
  while (U_SUCCESS(error) != 0 && matcher->find(error) != 0) {
    const ByteRange match{static_cast<size_t>(matcher->start64(error)), static_cast<size_t>(matcher->end64(error))};
    if (match.end > match.begin) found.push_back(match);
  }
  if (U_SUCCESS(error) != 0) return;
  core::throw_if_stopped("searching for placeholders");
  std::string expression;
  pattern.pattern().toUTF8String(expression);
  fail<SlowExpression>("placeholders: /", expression, "/ takes too long (", u_errorName(error),
                       "); write it so that it repeats less");
}

}  // namespace

struct Placeholders::Patterns {
  bool builtin = false, numbers = false;
  std::vector<Pattern> of_files;
};

namespace {

/// The names of a choice.
struct Choice {
  bool builtin = false, numbers = false;
  std::vector<std::string> files;
};

Choice read_choice(const std::string& choice) {
  Choice found;
  std::istringstream names(choice);
  for (std::string name; std::getline(names, name, ',');) {
    if (name.empty()) {
      fail<ConfigError>("placeholders: expected builtin, numbers or a file, got nothing before a comma");
    }
    if (name == "builtin") {
      found.builtin = true;
    } else if (name == "numbers") {
      found.numbers = true;
    } else {
      found.files.push_back(name);
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> placeholder_files(const std::string& choice) { return read_choice(choice).files; }

Placeholders::Placeholders(const std::string& choice) {
  const Choice chosen = read_choice(choice);
  auto patterns = std::make_unique<Patterns>();
  patterns->builtin = chosen.builtin;
  patterns->numbers = chosen.numbers;
  for (const std::string& file : chosen.files) read_file(file, patterns->of_files);
  patterns_ = std::move(patterns);
}
Placeholders::~Placeholders() = default;
Placeholders::Placeholders(Placeholders&&) noexcept = default;

bool Placeholders::has_builtin() const { return patterns_->builtin; }

std::vector<ByteRange> Placeholders::find(std::string_view text, const std::vector<ByteRange>& formulas) const {
  std::vector<ByteRange> all = formulas;
  if (patterns_->builtin) std::ranges::copy(builtin_placeholders(text), std::back_inserter(all));
  if (patterns_->builtin) std::ranges::copy(markup::tex_formulas(text), std::back_inserter(all));
  if (patterns_->numbers) std::ranges::copy(number_placeholders(text), std::back_inserter(all));
  for (const Pattern& pattern : patterns_->of_files) find_matches(*pattern, text, all);
  return formats::without_overlaps(std::move(all));
}

std::vector<std::string> Placeholders::missing(std::string_view source, std::string_view target) const {
  std::map<std::string_view, int64_t> balance;
  try {
    for (const ByteRange& range : find(source)) ++balance[source.substr(range.begin, range.end - range.begin)];
    for (const ByteRange& range : find(target)) --balance[target.substr(range.begin, range.end - range.begin)];
  } catch (const SlowExpression& slow) {
    return {slow.what()};
  }
  std::vector<std::string> texts;
  for (const auto& [text, count] : balance) {
    if (count != 0) texts.emplace_back(text);
  }
  return texts;
}

}  // namespace ventris::documents

#include "documents/placeholders.h"

#include <unicode/regex.h>
#include <unicode/utext.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "text/line_reader.h"

namespace ventris::documents {
namespace {

/// An expression, and a text without which it has no match ("" = unknown): searching for this text is faster.
using Pattern = std::pair<std::unique_ptr<icu::RegexPattern>, std::string_view>;

}  // namespace

struct Placeholders::Patterns {
  std::vector<Pattern> all;
};

namespace {

constexpr int32_t kTimeLimit = 2000;  // of ICU's matcher for one search: a few seconds

struct Builtin {
  const char* expression;
  std::string_view needed;
};
constexpr Builtin kBuiltin[] = {
    {R"(\{\{[^{}]{1,100}\}\})", "{{"},                    // {{name}}
    {R"([$#]?\{[\w.:,!#%-]{0,100}\})", "{"},              // {0} {name} {0:d} ${name}
    {R"(%\([^()\s]{1,100}\)[a-zA-Z])", "%("},             // %(name)s
    {R"((?<![\w%])%(?:\d+\$)?[-+0#]*(?:\d+|\*)?(?:\.\d+)?(?:hh|h|ll|l|L|z|j|t)?[diouxXeEfFgGcsp@](?![A-Za-z]))", "%"},
    {R"(__[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*__)", "__"},      // __NAME__
    {R"(</?[A-Za-z][^<>]{0,1000}>)", "<"},                // <b>
    {R"((?:https?|ftp)://[^\s<>"]*[^\s<>".,;:!?)\]}'\u2019\u201d])", "://"},
    {R"(\bwww\.[^\s<>"]*[^\s<>".,;:!?)\]}'\u2019\u201d])", "www."},
    {R"([\w.+-]+@[\w-]+(?:\.[\w-]+)+)", "@"}};
constexpr const char* kNumbers = R"((?<![\w.])[-+]?\d+(?:[.,:]\d+)*(?!\w))";

std::unique_ptr<icu::RegexPattern> compile(const std::string& expression, bool literal, const std::string& where) {
  UErrorCode error = U_ZERO_ERROR;
  UParseError place{};
  const uint32_t flags = literal ? UREGEX_LITERAL : 0;
  std::unique_ptr<icu::RegexPattern> pattern(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(expression), flags, place, error));
  if (U_FAILURE(error) != 0) {
    fail<ConfigError>(where, ": not a regular expression: /", expression, "/ (", u_errorName(error), " at character ",
                      place.offset, ")");
  }
  return pattern;
}

void read_file(const std::string& path, std::vector<Pattern>& patterns) {
  text::LineReader reader(path);
  std::string line;
  while (reader.next(line)) {
    if (line.empty()) continue;
    const bool literal = line.size() < 3 || !line.starts_with('/') || !line.ends_with('/');
    const std::string where = "placeholders: " + path + ":" + std::to_string(reader.counts().lines);
    patterns.emplace_back(compile(literal ? line : line.substr(1, line.size() - 2), literal, where), "");
  }
}

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

}  // namespace

Placeholders::Placeholders(const std::string& choice) {
  auto patterns = std::make_unique<Patterns>();
  std::istringstream names(choice);
  for (std::string name; std::getline(names, name, ',');) {
    if (name.empty())
      fail<ConfigError>("placeholders: expected builtin, numbers or a file, got nothing before a comma");
    if (name == "builtin") {
      for (const auto& [expression, needed] : kBuiltin) {
        patterns->all.emplace_back(compile(expression, false, "placeholders"), needed);
      }
    } else if (name == "numbers") {
      patterns->all.emplace_back(compile(kNumbers, false, "placeholders"), "");
    } else {
      read_file(name, patterns->all);
    }
  }
  patterns_ = std::move(patterns);
}
Placeholders::~Placeholders() = default;
Placeholders::Placeholders(Placeholders&&) noexcept = default;

std::vector<ByteRange> Placeholders::find(std::string_view text) const {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> utf8(
      utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &error));
  std::vector<ByteRange> all;
  for (const auto& [pattern, needed] : patterns_->all) {
    if (text.find(needed) == std::string_view::npos) continue;
    const std::unique_ptr<icu::RegexMatcher> matcher(pattern->matcher(error));
    matcher->setTimeLimit(kTimeLimit, error);
    matcher->reset(utf8.get());
    while (U_SUCCESS(error) != 0 && matcher->find(error) != 0) {
      const ByteRange found{static_cast<size_t>(matcher->start64(error)), static_cast<size_t>(matcher->end64(error))};
      if (found.end > found.begin) all.push_back(found);
    }
    if (U_FAILURE(error) != 0) {
      std::string expression;
      pattern->pattern().toUTF8String(expression);
      fail<DataError>("placeholders: /", expression, "/ takes too long (", u_errorName(error),
                      "); write it so that it ", "repeats less");
    }
  }
  std::ranges::sort(all, [](const ByteRange& a, const ByteRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<ByteRange> kept;
  for (const ByteRange& range : all) {
    if (kept.empty() || range.begin >= kept.back().end) kept.push_back(range);
  }
  return kept;
}

std::vector<std::string> Placeholders::missing(std::string_view source, std::string_view target) const {
  std::map<std::string_view, int64_t> balance;
  for (const ByteRange& range : find(source)) ++balance[source.substr(range.begin, range.end - range.begin)];
  for (const ByteRange& range : find(target)) --balance[target.substr(range.begin, range.end - range.begin)];
  std::vector<std::string> texts;
  for (const auto& [text, count] : balance) {
    if (count != 0) texts.emplace_back(text);
  }
  return texts;
}

}  // namespace ventris::documents

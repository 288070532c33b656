#include "filters/moses.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/human.h"
#include "text/valid_utf8.h"

namespace ventris::filters {
namespace {

constexpr std::string_view kBars = "|||";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

}  // namespace

std::optional<Features> parse_features(std::string_view text) {
  Features features;
  std::vector<double>* values = nullptr;
  for (size_t begin = text.find_first_not_of(" \t\n"); begin < text.size();
       begin = text.find_first_not_of(" \t\n", begin)) {
    const size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    begin = end;
    const size_t sign = word.rfind('=');  // the names of sparse features have the sign, too
    if (sign != std::string_view::npos) {
      const auto [feature, is_new] = features.try_emplace(std::string(word.substr(0, sign)));
      if (!is_new || sign == 0 || (values != nullptr && values->empty())) return {};
      values = &feature->second;
      word.remove_prefix(sign + 1);
      if (word.empty()) continue;
    }
    const std::optional<double> value = number_of(word);
    if (!value || values == nullptr) return {};
    values->push_back(*value);
  }
  if (values != nullptr && values->empty()) return {};
  return features;
}

MosesLine MosesLine::parse(std::string_view line, const std::string& where) {
  MosesLine parsed;
  size_t begin = 0;
  for (size_t end = 0; end != std::string_view::npos; begin = end + kBars.size()) {
    end = line.find(kBars, begin);
    parsed.fields.emplace_back(trimmed(line.substr(begin, end == std::string_view::npos ? end : end - begin)));
  }
  const std::string& id = parsed.fields.front();
  const auto [stop, error] = std::from_chars(id.data(), id.data() + id.size(), parsed.id);
  if (parsed.fields.size() < 2 || error != std::errc() || stop != id.data() + id.size() || parsed.id < 0) {
    fail<DataError>(where, ": expected ID ||| text ||| ..., the ID a number from 0, got '", text::cut_utf8(line, 60),
                    "'");
  }
  return parsed;
}

namespace {

constexpr std::string_view kWordScores = "WordScores=";

/// What is behind the log-probabilities of tokens with which a field may begin, and which are no features.
std::string_view features_in(std::string_view field) {
  if (!field.starts_with(kWordScores)) return field;
  field.remove_prefix(kWordScores.size());
  const size_t sign = field.find('=');
  if (sign == std::string_view::npos) return {};
  const size_t space = field.find_last_of(" \t", sign);
  return space == std::string_view::npos ? std::string_view() : field.substr(space + 1);
}

}  // namespace

bool MosesLine::has_feature(const std::string& name) const {
  return std::any_of(fields.begin() + 2, fields.end(), [&](const std::string& field) {
    return (" " + field).find(" " + name + "=") != std::string::npos;
  });
}

void MosesLine::add_feature(const std::string& name, const std::string& value) {
  const std::string feature = name + "= " + value;
  size_t place = 2;  // behind the text or the log-probabilities of its tokens
  for (size_t i = fields.size(); i-- > 2;) {
    if (features_in(fields[i]).find('=') != std::string_view::npos) {
      fields[i] += " " + feature;
      return;
    }
    if (place == 2 && fields[i].starts_with(kWordScores)) place = i + 1;
  }
  fields.insert(fields.begin() + static_cast<int64_t>(place), feature);
}

double MosesLine::weighted(const Features& weights, const std::string& left_out, const std::string& where) const {
  Features values;
  for (size_t i = 2; i < fields.size(); ++i) {
    if (auto read = parse_features(features_in(fields[i]))) values.merge(*read);
  }
  double sum = 0;
  for (const auto& [name, factors] : weights) {
    if (name == left_out) continue;
    const std::vector<double>& given = values[name];
    if (given.size() != factors.size()) {
      fail<DataError>(where, ": expected ", factors.size(), " ", core::plural(factors.size(), "value"),
                      " of the feature ", name, ", as --feature-weights has, in the form ", name, "= -1.2, got ",
                      given.size());
    }
    for (size_t i = 0; i < factors.size(); ++i) sum += factors[i] * given[i];
  }
  return sum;
}

void MosesLine::set_total(const std::string& value) {
  size_t at = fields.size();  // behind the last field of features
  while (at > 2 && fields[at - 1].find('=') == std::string::npos) --at;
  if (at == 2) at = fields.size();
  if (at < fields.size() && number_of(fields[at])) {
    fields[at] = value;
  } else {
    fields.insert(fields.begin() + static_cast<int64_t>(at), value);
  }
}

std::string MosesLine::to_text() const {
  std::string line = fields.front();
  for (size_t i = 1; i < fields.size(); ++i) line += " ||| " + fields[i];
  return line;
}

std::string as_field(std::string text) {
  for (size_t at = text.find("|||"); at != std::string::npos; at = text.find("|||", at)) text.replace(at, 3, "| | |");
  return text;
}

std::string format_word_scores(const std::vector<float>& log_probs) {
  std::string text(kWordScores);
  for (const float log_prob : log_probs) text += fmt::format(" {:.6f}", log_prob);
  return text;
}

}  // namespace ventris::filters

#include "preparation/word_vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/special_ids.h"
#include "text/line_reader.h"

namespace ventris::preparation {
namespace {

constexpr std::string_view kWordStart = "\u2581";
constexpr std::string_view kSpaces = " \t";

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t begin = line.find_first_not_of(kSpaces); begin != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kSpaces, end);
  }
  return fields;
}

/// A number that is too small for a float is 0. One that is too small for a double is none.
std::optional<float> number_of(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const auto rounded = static_cast<float>(value);
  if (error != std::errc() || stop != end || !std::isfinite(rounded)) return {};
  return rounded;
}

bool is_whole(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

/// The pieces that a word of a file may stand for.
class Wanted {
 public:
  explicit Wanted(const text::Tokenizer& tokenizer) : tokenizer_(tokenizer), found_(tokenizer.size()) {
    for (int32_t id = core::SpecialIds().eos + 1; id < tokenizer.size(); ++id) {
      const std::string& piece = tokenizer.piece(id);
      pieces_[piece].push_back({id, true});
      if (piece.starts_with(kWordStart) && piece.size() > kWordStart.size()) {
        pieces_[piece.substr(kWordStart.size())].push_back({id, false});
      }
    }
  }

  void take(std::string_view word, const std::vector<float>& vector) {
    const auto pieces = pieces_.find(std::string(word));
    if (pieces == pieces_.end()) return;
    for (const auto& [id, exact] : pieces->second) {
      Found& found = found_[static_cast<size_t>(id)];
      if (!found.vector.empty() && (found.exact || !exact)) continue;
      found = {vector, exact};
    }
  }

  PieceVectors result(int64_t width) const {
    PieceVectors all;
    all.width = width;
    for (int32_t id = core::SpecialIds().eos + 1; id < tokenizer_.size(); ++id) {
      const Found& found = found_[static_cast<size_t>(id)];
      all.vocab += 1;
      if (found.vector.empty()) {
        if (all.missing.size() < PieceVectors::kMissingShown) all.missing.push_back(tokenizer_.piece(id));
        continue;
      }
      all.ids.push_back(id);
      all.values.insert(all.values.end(), found.vector.begin(), found.vector.end());
      all.as_pieces += found.exact ? 1 : 0;
    }
    return all;
  }

 private:
  struct Piece {
    int32_t id;
    bool exact;  // false = without the mark of a word's start
  };
  struct Found {
    std::vector<float> vector;  // empty = not found
    bool exact = false;
  };

  const text::Tokenizer& tokenizer_;
  std::unordered_map<std::string, std::vector<Piece>> pieces_;
  std::vector<Found> found_;  // of each id
};

/// The lines of a file of vectors.
class VectorLines {
 public:
  VectorLines(const std::string& path, int64_t width) : lines_(path), width_(static_cast<size_t>(width)) {}

  /// Reads the next word with its vector; false at the end. A word with spaces is empty.
  bool next(std::string& word, std::vector<float>& vector) {
    std::string line;
    while (lines_.next(line)) {
      const auto fields = fields_of(line);
      if (fields.empty() || is_header(fields)) continue;
      read_numbers(fields, vector);
      word = fields.size() == width_ + 1 ? fields.front() : "";
      ++vectors_;
      return true;
    }
    if (vectors_ == 0)
      fail<DataError>(lines_.path(), ": expected lines of a word and ", width_, " numbers, found none");
    if (announced_ > vectors_) {
      core::log_warning(fmt::format("{}: its first line announces {} vectors, but it has {}; is it complete?",
                                    lines_.path(), announced_, vectors_));
    }
    return false;
  }

 private:
  std::string where() const { return lines_.path() + ":" + std::to_string(lines_.counts().lines); }

  [[noreturn]] void refuse(size_t numbers) const {
    fail<DataError>(where(), ": expected a word and ", width_, " numbers, as many as the embeddings of the model have ",
                    "features; found ", numbers, " numbers; use vectors of this width, or set the width of the model ",
                    "to theirs");
  }

  /// Whether this is the first line with the number of words and the width.
  bool is_header(const std::vector<std::string_view>& fields) {
    if (lines_.counts().lines != 1 || fields.size() != 2 || !is_whole(fields[0]) || !is_whole(fields[1])) return false;
    size_t width = 0;
    std::from_chars(fields[1].data(), fields[1].data() + fields[1].size(), width);
    if (width != width_) refuse(width);
    std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), announced_);
    return true;
  }

  /// The last `width_` fields. What is before them is the word, which may have spaces unless it looks like a number.
  void read_numbers(const std::vector<std::string_view>& fields, std::vector<float>& vector) const {
    if (fields.size() <= width_) refuse(fields.size() - 1);
    const size_t begin = fields.size() - width_;
    if (begin > 1 && std::all_of(fields.begin() + 1, fields.end(), number_of)) refuse(fields.size() - 1);
    vector.clear();
    for (size_t i = begin; i < fields.size(); ++i) {
      const auto value = number_of(fields[i]);
      if (!value) {
        fail<DataError>(where(), ": expected a word and ", width_, " numbers, found '", fields[i], "' as number ",
                        i - begin + 1);
      }
      vector.push_back(*value);
    }
  }

  text::LineReader lines_;
  size_t width_;
  int64_t vectors_ = 0, announced_ = 0;
};

/// The features of the embedding with this name.
int64_t width_of(const architecture::Architecture& model, const std::string& tensor) {
  int64_t width = 0;
  model.each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    if (name == tensor) width = shape.at(1);
  });
  return width;
}

void report(const PieceVectors& found, const std::string& setting, const std::string& path) {
  const auto count = static_cast<int64_t>(found.ids.size());
  std::string text =
      fmt::format("{}: {}: found vectors of {} of {} pieces ({:.1f} %): {} as pieces, {} as words", setting, path,
                  core::grouped(count), core::grouped(found.vocab),
                  100.0 * static_cast<double>(count) / static_cast<double>(std::max<int64_t>(found.vocab, 1)),
                  core::grouped(found.as_pieces), core::grouped(count - found.as_pieces));
  if (!found.missing.empty()) text += fmt::format("; not found, among others: {}", fmt::join(found.missing, " "));
  core::log_info(text);
  if (count == 0) core::log_warning(fmt::format("{}: {}: has no vector of any piece; it has no effect", setting, path));
}

}  // namespace

PieceVectors read_vectors(const std::string& path, const text::Tokenizer& tokenizer, int64_t width) {
  Wanted wanted(tokenizer);
  VectorLines lines(path, width);
  core::Progress progress("reading " + path, "vectors");
  std::string word;
  std::vector<float> vector;
  while (lines.next(word, vector)) {
    progress.add();
    if (!word.empty()) wanted.take(word, vector);
  }
  return wanted.result(width);
}

std::vector<EmbeddingVectors> read_embedding_vectors(const settings::RunConfig& config, const Tokenizers& tokenizers) {
  std::vector<EmbeddingVectors> all;
  const auto add = [&](const std::string& setting, const std::string& path, const std::string& tensor,
                       const text::Tokenizer& tokenizer) {
    if (path.empty()) return;
    if (tensor.empty()) {
      fail<ConfigError>(setting, ": a model of the family '", config.model->family(),
                        "' has no such embedding; leave it out");
    }
    all.push_back({tensor, read_vectors(path, tokenizer, width_of(*config.model, tensor))});
    report(all.back().vectors, setting, path);
  };
  const settings::TrainingConfig& training = config.training;
  add("training.target_vectors", training.target_vectors, config.model->target_embedding(), tokenizers.target);
  add("training.source_vectors", training.source_vectors, config.model->source_embedding(), tokenizers.source);
  return all;
}

}  // namespace ventris::preparation

#include "alignment/model_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"
#include "text/line_reader.h"

namespace ventris::alignment {
namespace {

constexpr const char* kFormat = "ventris-alignment";
constexpr int64_t kVersion = 1;
constexpr int64_t kMostNumbers = int64_t{1} << 28;      // words of a side, pairs of a table
constexpr uint64_t kMostCount = uint64_t{1} << 53;      // parts of a link
constexpr size_t kMostBytes = size_t{1} << 23;          // of a line

/// The first line of a file.
struct Header {
  std::string format;
  int64_t version = 0, prefix = 0, source_words = 0, target_words = 0, word_pairs = 0, class_pairs = 0;
  bool tokenized = false;
  std::vector<double> forward_jumps, backward_jumps, ratios;
};

nlohmann::json to_json(const Header& header) {
  return {{"format", header.format},
          {"version", header.version},
          {"prefix", header.prefix},
          {"tokenized", header.tokenized},
          {"source_words", header.source_words},
          {"target_words", header.target_words},
          {"word_pairs", header.word_pairs},
          {"class_pairs", header.class_pairs},
          {"forward_jumps", header.forward_jumps},
          {"backward_jumps", header.backward_jumps},
          {"ratios", header.ratios}};
}

Header header_of(const std::string& line, const std::string& path) {
  Header header;
  const nlohmann::json json = core::parse_json(line, path);
  core::JsonReader reader(json, "");
  reader.required("format", header.format);
  reader.required("version", header.version);
  if (header.format != kFormat || header.version != kVersion) {
    fail<ModelError>(path, ": expected ", kFormat, " version ", kVersion, ", found ", header.format, " version ",
                     header.version);
  }
  reader.required("prefix", header.prefix);
  reader.required("tokenized", header.tokenized);
  reader.required("source_words", header.source_words);
  reader.required("target_words", header.target_words);
  reader.required("word_pairs", header.word_pairs);
  reader.required("class_pairs", header.class_pairs);
  reader.required("forward_jumps", header.forward_jumps);
  reader.required("backward_jumps", header.backward_jumps);
  reader.required("ratios", header.ratios);
  reader.finish();
  return header;
}

template <typename Values>
std::vector<double> as_doubles(const Values& values) {
  return {values.begin(), values.end()};
}

/// Writes lines and their checksum.
class Writer {
 public:
  explicit Writer(files::OutputFile& output) : output_(output) {}
  void write(const std::string& line) {
    checksum_ = files::crc32(line, checksum_);
    output_.write(line);
  }
  void finish() { output_.write(fmt::format("{:08x}\n", checksum_)); }

 private:
  files::OutputFile& output_;
  uint32_t checksum_ = 0;
};

void write_words(Writer& writer, const WordTable& words, int64_t size, const SideCounts& counts) {
  for (int32_t word = 0; word < size; ++word) {
    const auto at = static_cast<size_t>(word);
    writer.write(
        fmt::format("{}\t{}\t{}\t{}\n", words[word].text, words[word].count, counts.linked[at], counts.alone[at]));
  }
}

void write_pairs(Writer& writer, const PairCounts& pairs) {
  for (const PairCounts::Entry& entry : pairs.entries()) {
    if (entry.is_free() || entry.count() == 0) continue;
    writer.write(fmt::format("{}\t{}\t{}\n", entry.source(), entry.target(), entry.count()));
  }
}

int64_t linked_pairs(const PairCounts& pairs) {
  return std::ranges::count_if(pairs.entries(),
                               [](const auto& entry) { return !entry.is_free() && entry.count() > 0; });
}

/// Reads the lines of a model.
class Reader {
 public:
  explicit Reader(const std::string& path) : lines_(path, {.max_bytes = kMostBytes}) {}

  SavedModel read() {
    header_ = header_of(next(), lines_.path());
    check_header();
    SavedModel saved(static_cast<int>(header_.prefix));
    saved.division = header_.tokenized ? metrics::Division::kTokenized : metrics::Division::kText;
    auto& model = saved.model;
    read_words(header_.source_words, saved.pairs.source_words(), model.source);
    read_words(header_.target_words, saved.pairs.target_words(), model.target);
    const auto& source = saved.pairs.source_words();
    const auto& target = saved.pairs.target_words();
    Comparison comparison;
    model.words = read_pairs(header_.word_pairs, source.size(), target.size(),
                             [&](int32_t s, int32_t t) { return comparison.likeness(source[s], target[t]); });
    model.classes = read_pairs(header_.class_pairs, source.classes(), target.classes(),
                               [](int32_t /*source*/, int32_t /*target*/) { return Likeness::kUnlike; });
    copy(header_.forward_jumps, model.forward, "forward_jumps");
    copy(header_.backward_jumps, model.backward, "backward_jumps");
    copy(header_.ratios, model.ratios, "ratios");
    check_end();
    return saved;
  }

 private:
  template <typename... Parts>
  [[noreturn]] void damaged(const Parts&... parts) const {
    fail<ModelError>(lines_.path(), ":", lines_.counts().lines, ": ", parts...,
                     "; the file is damaged, or not a model of ventris-align");
  }

  std::string next() {
    const uint32_t before = files::crc32(line_ + "\n", checksum_);
    if (lines_.counts().lines > 0) checksum_ = before;
    if (!lines_.next(line_)) damaged("the file ends too early");
    return line_;
  }

  void check_header() const {
    const auto check = [this](const char* name, int64_t value, int64_t most) {
      if (value < 0 || value > most) damaged("expected ", name, " from 0 to ", most, ", found ", value);
    };
    check("prefix", header_.prefix, 64);
    check("source_words", header_.source_words, kMostNumbers);
    check("target_words", header_.target_words, kMostNumbers);
    check("word_pairs", header_.word_pairs, kMostNumbers);
    check("class_pairs", header_.class_pairs, kMostNumbers);
  }

  /// The fields of the next line, as numbers from the field `first` on.
  template <size_t N>
  std::vector<std::string_view> fields(size_t first, std::array<uint64_t, N>& numbers) {
    next();
    auto columns = text::find_columns(line_);
    if (columns.size() != first + N) damaged("expected ", first + N, " columns, found ", columns.size());
    for (size_t i = 0; i < N; ++i) {
      const std::string_view text = columns[first + i];
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
      if (error != std::errc() || end != text.data() + text.size() || numbers[i] > kMostCount) {
        damaged("expected a count, found '", text.substr(0, 40), "'");
      }
    }
    return columns;
  }

  void read_words(int64_t size, WordTable& words, SideCounts& counts) {
    std::array<uint64_t, 3> numbers{};
    uint64_t tokens = 0;
    for (int64_t word = 0; word < size; ++word) {
      const auto columns = fields(1, numbers);
      tokens += numbers[0];
      if (tokens > kMostCount) damaged("its words are too frequent");
      if (words.add(columns[0], static_cast<int64_t>(numbers[0])) != word) {
        damaged("the word '", columns[0].substr(0, 40), "' is there twice");
      }
      counts.linked.push_back(numbers[1]);
      counts.alone.push_back(numbers[2]);
      counts.all_alone += numbers[2];
      counts.classes.resize(static_cast<size_t>(words.classes()));
      counts.classes[static_cast<size_t>(words[static_cast<int32_t>(word)].prefix)] += numbers[1];
    }
  }

  template <typename LikenessOf>
  PairCounts read_pairs(int64_t size, int64_t sources, int64_t targets, const LikenessOf& likeness_of) {
    std::vector<std::array<uint64_t, 3>> pairs;  // the table is made once the pairs are known to be there
    std::array<uint64_t, 3> numbers{};
    for (int64_t pair = 0; pair < size; ++pair) {
      fields(0, numbers);
      if (numbers[0] >= static_cast<uint64_t>(sources) || numbers[1] >= static_cast<uint64_t>(targets)) {
        damaged("there is no pair ", numbers[0], ", ", numbers[1]);
      }
      pairs.push_back(numbers);
    }
    PairCounts table(pairs.size());
    for (const auto& [source, target, count] : pairs) {
      const auto s = static_cast<int32_t>(source), t = static_cast<int32_t>(target);
      if (table.find(s, t) != nullptr) damaged("the pair ", s, ", ", t, " is there twice");
      table.insert(s, t, likeness_of(s, t), count);
    }
    return table;
  }

  template <typename Values>
  void copy(const std::vector<double>& from, Values& to, const char* name) const {
    if (from.size() != to.size()) damaged("expected ", to.size(), " ", name, ", found ", from.size());
    for (size_t i = 0; i < to.size(); ++i) {
      if (!(from[i] > 1e-30 && from[i] < 1e9)) damaged("expected ", name, " over 0, found ", from[i]);
      to[i] = static_cast<float>(from[i]);
    }
  }

  void check_end() {
    next();
    const std::string expected = fmt::format("{:08x}", checksum_), found = line_;
    if (found != expected) damaged("the checksum of the lines is ", expected, ", expected ", found.substr(0, 40));
    if (lines_.next(line_)) damaged("expected the end of the file");
  }

  text::LineReader lines_;
  std::string line_;
  Header header_;
  uint32_t checksum_ = 0;  // of all lines before the last one read
};

}  // namespace

void write_model(files::OutputFile& output, const SentencePairs& pairs, const AlignmentModel& model,
                 metrics::Division division) {
  const auto source_words = static_cast<int64_t>(model.source.linked.size()),
             target_words = static_cast<int64_t>(model.target.linked.size());
  Writer writer(output);
  writer.write(to_json({.format = kFormat,
                        .version = kVersion,
                        .prefix = pairs.source_words().prefix(),
                        .source_words = source_words,
                        .target_words = target_words,
                        .word_pairs = linked_pairs(model.words),
                        .class_pairs = linked_pairs(model.classes),
                        .tokenized = division == metrics::Division::kTokenized,
                        .forward_jumps = as_doubles(model.forward),
                        .backward_jumps = as_doubles(model.backward),
                        .ratios = as_doubles(model.ratios)})
                   .dump() +
               "\n");
  write_words(writer, pairs.source_words(), source_words, model.source);
  write_words(writer, pairs.target_words(), target_words, model.target);
  write_pairs(writer, model.words);
  write_pairs(writer, model.classes);
  writer.finish();
}

SavedModel read_model(const std::string& path) {
  try {
    return Reader(path).read();
  } catch (const ConfigError& error) {  // of the first line
    fail<ModelError>(path, ": is not a model of ventris-align: ", error.what());
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
}

}  // namespace ventris::alignment

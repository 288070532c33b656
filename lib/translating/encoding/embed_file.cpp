#include "encoding/embed_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "core/error.h"
#include "encoding/line_work.h"
#include "encoding/npy.h"
#include "filters/json_lines.h"
#include "metrics/unicode.h"

namespace ventris::encoding {
namespace {

using EmbedLine = Line<Vectors>;

static_assert(std::endian::native == std::endian::little, "the floats of .npy files are written as they are in memory");

/// "[0.25,-1]", or "null" for a vector that is not known. Every number is the shortest one that gives the same float.
std::string as_json(std::span<const float> values, bool known) {
  if (!known) return "null";
  return fmt::format("[{}]", fmt::join(values, ","));
}

/// The part of `vectors` with the number `i`; empty if there is none.
std::span<const float> vector_of(const Vectors& vectors, size_t i, size_t width) {
  return std::span<const float>(vectors.values).subspan(i * width, width);
}

/// The members of a JSON object.
std::string sentence_json(const EmbedLine& line, size_t width) {
  const bool known = !line.result.known.empty();
  return "\"vector\":" + as_json(known ? vector_of(line.result, 0, width) : std::span<const float>(), known);
}

std::string words_json(const EmbedLine& line, size_t width) {
  nlohmann::ordered_json words = nlohmann::ordered_json::array();
  std::string vectors;
  for (const std::string_view word : metrics::split_words(line.text)) {
    const size_t i = words.size();
    const bool known = i < line.result.known.size() && line.result.known[i];
    vectors +=
        (i == 0 ? "" : ",") + as_json(known ? vector_of(line.result, i, width) : std::span<const float>(), known);
    words.push_back(word);
  }
  return "\"words\":" + filters::to_line(words) + ",\"vectors\":[" + vectors + "]";
}

/// The rows of a .npy file.
class Matrix {
 public:
  explicit Matrix(int64_t width) : width_(width) {}

  /// Adds the vectors of a line, at least `rows`; missing ones are zeros.
  void add(const Vectors& vectors, size_t rows) {
    const auto* bytes = reinterpret_cast<const char*>(vectors.values.data());
    bytes_.append(bytes, vectors.values.size() * sizeof(float));
    rows_ += static_cast<int64_t>(std::max(rows, vectors.known.size()));
    bytes_.resize(static_cast<size_t>(rows_ * width_) * sizeof(float), '\0');
  }
  std::string file() const { return npy_header(rows_, width_) + bytes_; }

 private:
  int64_t width_, rows_ = 0;
  std::string bytes_;
};

void check_numbers(const Vectors& vectors, const std::string& model) {
  for (const float value : vectors.values) {
    if (!std::isfinite(value))
      fail<ModelError>(model, ": gave a vector that is not finite; its weights are not usable");
  }
}

}  // namespace

void embed_file(const EmbedOptions& options) {
  check(options.lines);
  model::check_output(options.model, options.lines.output);
  if (options.format == EmbedFormat::kAuto && options.lines.output.ends_with(".npy.gz")) {
    fail<ConfigError>(options.lines.output,
                      ": NumPy does not read .npy files that are packed; write to a name that ends in .npy, or add "
                      "--format npy or --format jsonl if this file shall be packed");
  }
  const bool npy = options.format == EmbedFormat::kNpy ||
                   (options.format == EmbedFormat::kAuto && options.lines.output.ends_with(".npy"));
  const EncoderPool encoders(options.model, options.lines);
  const Embedder embedder(encoders, options.vectors);
  const auto width = static_cast<size_t>(embedder.width());
  Matrix matrix(embedder.width());
  LineWork<Vectors> work;
  work.task = "embedding";
  work.encode = [&](const std::string& line) { return embedder.encode(line); };
  work.has_work = [](const Input&) { return true; };
  work.compute = [&](const std::vector<const Input*>& batch) { return embedder.embed(batch); };
  work.format = [&](const EmbedLine& line, int64_t number) -> std::string {
    check_numbers(line.result, options.model);
    const bool words = options.vectors.words;
    if (npy) {
      matrix.add(line.result, words ? metrics::split_words(line.text).size() : 1);
      return "";
    }
    return fmt::format("{{\"id\":{},\"text\":{},{},\"cut\":{}}}\n", number, filters::to_line(line.text),
                       words ? words_json(line, width) : sentence_json(line, width), line.input.cut);
  };
  if (npy) work.finish = [&] { return matrix.file(); };
  log_report(run_lines(options.lines, work));
}

}  // namespace ventris::encoding

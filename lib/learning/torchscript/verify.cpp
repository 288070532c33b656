#include "torchscript/verify.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <torch/script.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "backend/open_module.h"
#include "core/error.h"
#include "core/log.h"
#include "text/line_reader.h"
#include "text/line_sequence.h"
#include "translation/model_text.h"
#include "translation/scorer_loader.h"
#include "translation/translator.h"

namespace ventris::torchscript {
namespace {

constexpr double kTie = 1e-4;

/// A translation and the score by which it was chosen.
struct Scored {
  std::string text;
  double score = 0;
};

translation::TranslatorOptions options_for(const model::Package& package, int beam_size) {
  translation::TranslatorOptions options = translation::suggested_options(package.config.decoding);
  options.search.beam_size = beam_size;
  options.marked_sources = true;
  return options;
}

std::vector<Scored> translate(const std::string& model, const std::vector<std::string>& lines, int beam_size) {
  model::LoadedModel loaded = model::read_model(model);
  const model::Package package = loaded.package;
  const translation::TranslatorOptions options = options_for(package, beam_size);
  const std::shared_ptr<const decoding::ScorerFactory> models =
      backend::open_model({translation::opened(std::move(loaded)), "cpu", false});
  std::vector<Scored> found;
  for (const translation::Translation& one : translation::Translator(package, models, options).translate(lines)) {
    found.push_back({one.text(), one.candidates.front().score});
  }
  return found;
}

/// Translates with the method `beam` of the file itself. Empty for a model that writes all tokens at once.
std::vector<Scored> translate_with_beam(const std::string& path, const std::vector<std::string>& lines, int beam_size) {
  const model::Package package = model::read_package(path);
  torch::jit::Module script = torch::jit::load(package.script ? *package.script : path);
  if (!script.find_method("beam")) return {};
  const torch::NoGradGuard no_grad;
  const decoding::SearchOptions search = options_for(package, beam_size).search;
  const text::Tokenizer source = translation::source_tokenizer(package),
                        target = translation::target_tokenizer(package, source);
  const int64_t longest = package.config.architecture->max_length();
  std::vector<Scored> found;
  for (const std::string& line : lines) {
    const std::vector<int32_t> ids = translation::encode_source(line, source, package.config.tokenizer, longest).ids;
    if (ids.empty()) {
      found.emplace_back();
      continue;
    }
    const int64_t most = decoding::greatest_length({ids, {}}, search, longest);
    const auto best = script
                          .get_method("beam")({torch::tensor(ids, torch::kLong).unsqueeze(0), int64_t{beam_size}, most,
                                               search.length_alpha})
                          .toTuple();
    const torch::Tensor tokens = best->elements()[0].toTensor()[0];
    std::vector<int32_t> written;
    for (int64_t i = 0; i < tokens.size(0); ++i) written.push_back(tokens[i].item<int32_t>());
    found.push_back({target.decode(written), best->elements()[2].toTensor()[0].item<double>()});
  }
  return found;
}

/// Throws ModelError unless all translations are the same or tied; how many are tied. `what` made those that were
/// found.
int64_t compare(const std::vector<Scored>& expected, const std::vector<Scored>& found, const std::string& file,
                const char* what) {
  int64_t tied = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const bool same_score = std::abs(expected[i].score - found[i].score) <= kTie;
    if (expected[i].text == found[i].text && same_score) continue;
    if (!same_score) {
      fail<ModelError>(file, ":", i + 1, ": ", what, " translates differently: '", found[i].text, "' (score ",
                       found[i].score, "), expected '", expected[i].text, "' (", expected[i].score, ")");
    }
    ++tied;
  }
  return tied;
}

std::vector<std::string> read_lines(const std::string& file) {
  text::LineReader reader(file);
  std::vector<std::string> lines;
  std::string line;
  while (reader.next(line)) lines.push_back(line);
  text::warn_about(reader);
  if (lines.empty()) fail<DataError>(file, ": is empty; expected sentences to translate");
  return lines;
}

/// A file without a name, because its content is executed; it disappears with the process, however that ends.
class NamelessFile {
 public:
  explicit NamelessFile(std::string_view bytes) : descriptor_(memfd_create("ventris-verify", MFD_CLOEXEC)) {
    while (descriptor_ >= 0 && !bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    if (bytes.empty()) return;
    const std::string reason = std::strerror(errno);
    if (descriptor_ >= 0) close(descriptor_);
    fail<WriteError>("--verify: the export cannot be kept in memory: ", reason);
  }
  ~NamelessFile() { close(descriptor_); }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

void verify_torchscript(const std::string& bundle, const std::string& bytes, const std::string& file, int beam_size) {
  const auto lines = read_lines(file);
  const NamelessFile exported(bytes);
  const auto expected = translate(bundle, lines, beam_size);
  int64_t tied = compare(expected, translate(exported.path(), lines, beam_size), file, "the export");
  const auto own = translate_with_beam(exported.path(), lines, beam_size);
  if (!own.empty()) tied = std::max(tied, compare(expected, own, file, "the method beam of the export"));
  core::log_info(fmt::format("verified: {} the same ({} {} within {})",
                             lines.size() == 1 ? "1 line translates" : fmt::format("{} lines translate", lines.size()),
                             tied, tied == 1 ? "tie" : "ties", kTie));
}

}  // namespace ventris::torchscript

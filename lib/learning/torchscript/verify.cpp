#include "torchscript/verify.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

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
#include "translation/scorer_loader.h"
#include "translation/translator.h"

namespace ventris::torchscript {
namespace {

constexpr double kTie = 1e-4;

std::vector<translation::Translation> translate(const std::string& model, const std::vector<std::string>& lines,
                                                int beam_size) {
  model::LoadedModel loaded = model::load_model(model);
  const model::Package package = loaded.package;
  translation::TranslatorOptions options = translation::suggested_options(package.config.decoding);
  options.search.beam_size = beam_size;
  options.marked_sources = true;
  const std::shared_ptr<const decoding::ScorerFactory> models =
      backend::open_model({translation::opened(std::move(loaded)), "cpu", false});
  return translation::Translator(package, models, options).translate(lines);
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
  const auto expected = translate(bundle, lines, beam_size), found = translate(exported.path(), lines, beam_size);
  int64_t tied = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (expected[i].text() == found[i].text()) continue;
    if (std::abs(expected[i].candidates.front().score - found[i].candidates.front().score) <= kTie) {
      ++tied;
      continue;
    }
    fail<ModelError>(file, ":", i + 1, ": the export translates differently: '", found[i].text(), "', expected '",
                     expected[i].text(), "'");
  }
  core::log_info(fmt::format("verified: {} the same ({} {} within {})",
                             lines.size() == 1 ? "1 line translates" : fmt::format("{} lines translate", lines.size()),
                             tied, tied == 1 ? "tie" : "ties", kTie));
}

}  // namespace ventris::torchscript

#include "torchscript/verify.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <torch/script.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "backend/open_module.h"
#include "core/error.h"
#include "translation/model_text.h"
#include "translation/scorer_loader.h"
#include "translation/verification.h"

namespace ventris::torchscript {
namespace {

using translation::ScoredText;

std::vector<ScoredText> translate(const std::string& model, const std::vector<std::string>& lines, int beam_size) {
  model::LoadedModel loaded = model::read_model(model);
  const model::Package package = loaded.package;
  const auto options = translation::comparison_options(package, beam_size);
  return translation::best_translations(
      package, backend::open_model({translation::opened(std::move(loaded)), "cpu", false}), lines, options);
}

/// Translates with the method `beam` of the file itself. Empty for a model that writes all tokens at once.
std::vector<ScoredText> translate_with_beam(const std::string& path, const std::vector<std::string>& lines,
                                            int beam_size) {
  const model::Package package = model::read_package(path);
  torch::jit::Module script = torch::jit::load(package.script ? *package.script : path);
  if (!script.find_method("beam")) return {};
  const torch::NoGradGuard no_grad;
  const decoding::SearchOptions search = translation::comparison_options(package, beam_size).search;
  const text::Tokenizer source = translation::source_tokenizer(package),
                        target = translation::target_tokenizer(package, source);
  const int64_t longest = package.config.architecture->max_length();
  std::vector<ScoredText> found;
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
  const auto lines = translation::lines_to_compare(file);
  const NamelessFile exported(bytes);
  const auto expected = translate(bundle, lines, beam_size);
  int64_t tied =
      translation::compare_translations(expected, translate(exported.path(), lines, beam_size), file, "the export");
  const auto own = translate_with_beam(exported.path(), lines, beam_size);
  if (!own.empty()) {
    tied = std::max(tied, translation::compare_translations(expected, own, file, "the method beam of the export"));
  }
  translation::log_verified(lines.size(), tied);
}

}  // namespace ventris::torchscript

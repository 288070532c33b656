#include "training/bleu_tokenize.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/log.h"
#include "data/pair_lines.h"
#include "files/paths.h"
#include "metrics/writing_system.h"

namespace ventris::training {
namespace {

using metrics::tokenization_names;
using settings::BleuTokenize;

constexpr size_t kMostLines = 2000;  // enough to know the script

std::vector<std::string> first_targets(const data::CorpusFiles& files) {
  std::vector<std::string> targets;
  if (files.source.empty() || !files::exists(files.source)) return targets;  // standard input is copied later
  data::PairLines lines(files);
  std::string source, target;
  while (targets.size() < kMostLines && lines.next(source, target)) targets.push_back(target);
  return targets;
}

BleuTokenize setting_of(metrics::Tokenization tokenization) {
  switch (tokenization) {
    case metrics::Tokenization::kZh: return BleuTokenize::kZh;
    case metrics::Tokenization::kChar: return BleuTokenize::kChar;
    default: return BleuTokenize::k13a;
  }
}

}  // namespace

std::optional<metrics::Tokenization> tokenization_of(BleuTokenize tokenize) {
  const auto& names = tokenization_names();
  const auto found = std::ranges::find(names, settings::name_of(tokenize));
  if (found == names.end()) return {};
  return static_cast<metrics::Tokenization>(found - names.begin());
}

void choose_bleu_tokenize(settings::RunConfig& config, std::optional<BleuTokenize> begun) {
  BleuTokenize& chosen = config.validation.tokenize;
  if (!config.model->translates() || chosen != BleuTokenize::kAuto) return;
  if (begun && *begun != BleuTokenize::kAuto) {
    chosen = *begun;
    return;
  }
  const bool validates = !config.data.valid.source.empty();
  const auto training = config.data.training();
  if (!validates && training.empty()) return;
  const auto targets = first_targets(validates ? config.data.valid : training.front().files);
  if (targets.empty()) return;
  const metrics::Writing writing = metrics::writing_of(targets);
  chosen = setting_of(writing.suitable);
  if (writing.script.empty()) return;
  core::log_info(fmt::format("BLEU of validations: tokenize {}, because the target side is {} (validation.tokenize)",
                             settings::name_of(chosen), writing.script));
}

}  // namespace ventris::training

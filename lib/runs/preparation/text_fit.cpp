#include "preparation/text_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/log.h"
#include "core/special_ids.h"

namespace ventris::preparation {
namespace {

constexpr double kMostUnknown = 0.001;  // share of the tokens

double unknown_share(const TextFit& fit) {
  return static_cast<double>(fit.unknown) / static_cast<double>(std::max<int64_t>(fit.tokens, 1));
}

void warn_of_unknown(const char* side, const TextFit& fit, const std::string& base) {
  if (unknown_share(fit) <= kMostUnknown) return;
  core::log_warning(
      fmt::format("{:.2f} % of the {} tokens are unknown to the tokenizer of {}, so they are not learnt; a run that "
                  "learns its own tokenizer would learn them",
                  100 * unknown_share(fit), side, base));
}

}  // namespace

TextFit fit_of(const data::PairStore& pairs, std::vector<int32_t> data::SentencePair::* side,
               const text::Tokenizer& tokenizer, uint64_t most) {
  std::vector<bool> begins_word(static_cast<size_t>(tokenizer.size()));
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    begins_word[static_cast<size_t>(id)] = tokenizer.piece(id).starts_with("\u2581");
  }
  TextFit fit;
  const uint64_t size = pairs.size(), count = std::min(size, most);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = i * size / count;
    const data::SentencePair pair = pairs.pair(static_cast<size_t>(number));
    const size_t tag = side == &data::SentencePair::source ? pairs.summary().place_of(number).tag_tokens : 0;
    for (const int32_t id : std::span(pair.*side).subspan(tag)) {
      fit.tokens += 1;
      fit.words += begins_word[static_cast<size_t>(id)] ? 1 : 0;
      fit.unknown += id == core::SpecialIds{}.unk ? 1 : 0;
    }
  }
  return fit;
}

std::string describe(const TextFit& fit) {
  const std::string unknown = fmt::format("{:.2f} % unknown", 100 * unknown_share(fit));
  if (fit.words == 0) return unknown;
  return fmt::format("{:.2f} pieces per word, {}", static_cast<double>(fit.tokens) / static_cast<double>(fit.words),
                     unknown);
}

void log_text_fit(const OpenedRun& run, const data::PairStore& pairs, const Tokenizers& tokenizers) {
  if (run.checkpoint || (!run.base && !run.encoder)) return;
  const model::Package& base = run.base ? run.base->package : run.encoder->package;
  const TextFit source = fit_of(pairs, &data::SentencePair::source, tokenizers.source);
  const std::string text =
      fmt::format("the tokenizer of {} on the training corpus: source {}", base.path, describe(source));
  if (!run.base || base.config.architecture->corpus_kind() != architecture::CorpusKind::kPairs) {
    core::log_info(text);
    return warn_of_unknown("source", source, base.path);
  }
  const TextFit target = fit_of(pairs, &data::SentencePair::target, tokenizers.target);
  core::log_info(text + "; target " + describe(target));
  warn_of_unknown("source", source, base.path);
  warn_of_unknown("target", target, base.path);
}

}  // namespace ventris::preparation

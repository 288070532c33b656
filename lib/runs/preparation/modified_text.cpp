#include "preparation/modified_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/human.h"
#include "core/log.h"
#include "data/corpus_forms.h"

namespace ventris::preparation {

std::shared_ptr<const data::PairModifier> modifier_of(const settings::RunConfig& config, const Tokenizers& tokenizers,
                                                      std::shared_ptr<const data::CorpusForms> forms) {
  if (config.data.modifiers.empty()) return nullptr;
  data::CorpusFilter limits = config.data.filter;
  limits.max_length = config.longest_side();
  const settings::GuidedAlignmentConfig& guided = config.training.guided_alignment;
  const auto division = guided.on() ? std::optional(guided.division()) : std::nullopt;
  return std::make_shared<data::PairModifier>(
      tokenizers.source, tokenizers.target, modifiers::Modifiers(config.data.modifiers, config.training.seed, division),
      limits, std::move(forms));
}

std::shared_ptr<const data::CorpusForms> term_forms_of(const settings::RunConfig& config,
                                                       const data::PairStore& pairs) {
  if (!config.data.has(modifiers::ModifierKind::kTerms)) return nullptr;
  return data::forms_in(pairs, config.training.guided_alignment.division());
}

std::vector<ModifierCounts> count_changes(const data::PairStore& pairs, const data::PairModifier& modifier,
                                          uint64_t most) {
  std::vector<ModifierCounts> counts(modifier.list().size());
  const uint64_t size = pairs.size(), count = std::min(size, most);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = i * size / count;
    data::SentencePair pair = pairs.pair(static_cast<size_t>(number));
    const auto change = modifier.modify(pairs, number, 0, pair);
    if (!change) continue;
    ModifierCounts& of_one = counts[change->modifier];
    of_one.drawn += 1;
    of_one.made += change->result == data::ChangeResult::kMade;
    of_one.unknown += change->result == data::ChangeResult::kUnknown;
  }
  return counts;
}

Changes changes_of(const settings::RunConfig& config, const data::PairStore& pairs, const Tokenizers& tokenizers) {
  const auto modifier = modifier_of(config, tokenizers);
  if (!modifier) return {};
  constexpr uint64_t kMost = 1 << 14;
  const auto counts = count_changes(pairs, *modifier, kMost);
  const auto sample = static_cast<int64_t>(std::min<uint64_t>(pairs.size(), kMost));
  Changes changes{fmt::format("changed training text, of {} in the first epoch:", core::count_of(sample, "pair")), {}};
  for (size_t i = 0; i < counts.size(); ++i) {
    const ModifierCounts& one = counts[i];
    const auto name = modifiers::name_of(modifier->list()[i].kind);
    changes.text += fmt::format("{} {} {}", i == 0 ? "" : ",", name, one.made);
    if (one.made < one.drawn) changes.text += fmt::format(" (drawn {})", one.drawn);
    if (2 * one.unknown <= one.drawn) continue;
    changes.warnings.push_back(
        fmt::format("data.modifiers[{}] ({}): {} of {} pairs that it was drawn for stay as they are, because the "
                    "changed text would have more unknown tokens; learn the tokenizer with tokenizer.byte_fallback",
                    i, name, one.unknown, one.drawn));
  }
  return changes;
}

void log_changes(const settings::RunConfig& config, const data::PairStore& pairs, const Tokenizers& tokenizers) {
  const Changes changes = changes_of(config, pairs, tokenizers);
  if (!changes.text.empty()) core::log_info(changes.text);
  for (const std::string& warning : changes.warnings) core::log_warning(warning);
}

}  // namespace ventris::preparation

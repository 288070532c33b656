#include "modifiers/term_forms.h"

#include <unicode/unistr.h>

#include <algorithm>

#include "metrics/word_forms.h"
#include "modifiers/single_links.h"

namespace ventris::modifiers {
namespace {

std::string small_letters(std::string_view word) {
  std::string small;
  icu::UnicodeString::fromUTF8({word.data(), static_cast<int32_t>(word.size())})
      .foldCase(U_FOLD_CASE_DEFAULT)
      .toUTF8String(small);
  return small;
}

}  // namespace

void TermForms::add(const TextPair& pair, metrics::Division division) {
  const auto source = metrics::divided(pair.source, division), target = metrics::divided(pair.target, division);
  for (const text::Link& link : single_links(pair.links, source, target)) {
    auto& forms = counts_[small_letters(source[static_cast<size_t>(link.source)])];
    ++forms[std::string(target[static_cast<size_t>(link.target)])];
  }
}

void TermForms::finish() {
  for (auto& [source, counts] : counts_) {
    std::vector<Counted> forms;
    for (const auto& [form, count] : counts) {
      if (count > 1) forms.emplace_back(form, count);
    }
    std::ranges::sort(forms);
    if (!forms.empty()) forms_.emplace(source, std::move(forms));
  }
  counts_.clear();
}

std::string_view TermForms::draw(std::string_view source, std::string_view target, Draws& draws) const {
  const auto forms = forms_.find(small_letters(source));
  if (forms == forms_.end()) return target;
  std::vector<const Counted*> alike;
  size_t all = 0;
  for (const Counted& form : forms->second) {
    if (!metrics::begin_alike(form.first, target)) continue;
    alike.push_back(&form);
    all += form.second;
  }
  if (alike.empty()) return target;
  size_t drawn = draws.below(all);
  const auto chosen = std::ranges::find_if(alike, [&](const Counted* form) {
    if (drawn < form->second) return true;
    drawn -= form->second;
    return false;
  });
  return (*chosen)->first;
}

}  // namespace ventris::modifiers

#include "modifiers/term_forms.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

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
  for (const auto& [source, counts] : counts_) {
    std::vector<Form> forms;
    for (const auto& [word, count] : counts) {
      if (count > 1) forms.push_back({word, metrics::PlainWord(word), count});
    }
    std::ranges::sort(forms, {}, &Form::word);
    if (!forms.empty()) forms_.emplace(source, std::move(forms));
  }
  counts_.clear();
}

std::string_view TermForms::draw(std::string_view source, std::string_view target, Draws& draws) const {
  const auto forms = forms_.find(small_letters(source));
  if (forms == forms_.end()) return target;
  const metrics::PlainWord plain(target);
  std::vector<const Form*> alike;
  size_t all = 0;
  for (const Form& form : forms->second) {
    if (!metrics::begin_alike(form.plain, plain)) continue;
    alike.push_back(&form);
    all += form.count;
  }
  if (alike.empty()) return target;
  size_t drawn = draws.below(all);
  const auto chosen = std::ranges::find_if(alike, [&](const Form* form) {
    if (drawn < form->count) return true;
    drawn -= form->count;
    return false;
  });
  return (*chosen)->word;
}

}  // namespace ventris::modifiers

#include "documents/argument_order.h"

#include <algorithm>
#include <iterator>

#include "formats/conversions.h"

namespace ventris::documents {

bool has_other_order(const MarkedText& sentence, const MaskedText& masked, const AlignedText& translation) {
  if (sentence.objects.size() < 2) return false;
  const auto arguments = [&](size_t object) { return formats::unnumbered_arguments_in(sentence.objects[object].raw); };
  std::vector<std::string> wanted, found;
  for (size_t i = 0; i < sentence.objects.size(); ++i) std::ranges::move(arguments(i), std::back_inserter(wanted));
  if (wanted.size() < 2) return false;
  for (const size_t i : put_back(sentence, masked, translation, {}).order) {
    std::ranges::move(arguments(i), std::back_inserter(found));
  }
  return found != wanted;
}

bool number_conversions(const std::vector<MarkedText*>& sentences, std::vector<std::string>& gaps, bool gaps_change) {
  size_t number = 0;
  std::vector<std::string> written;  // gaps and objects, in order
  const auto add = [&](const std::string& text) {
    const auto numbered = formats::with_numbers_from(text, number);
    number += formats::conversions_in(text).size();
    written.push_back(numbered.value_or(""));
    return numbered.has_value();
  };
  const auto add_gap = [&](const std::string& gap) { return add(gap) && (gaps_change || written.back() == gap); };
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (!add_gap(gaps[i])) return false;
    for (const markup::Object& object : sentences[i]->objects) {
      if (!add(object.raw)) return false;
    }
  }
  if (!add_gap(gaps.back())) return false;
  auto next = written.begin();
  for (size_t i = 0; i < sentences.size(); ++i) {
    gaps[i] = *next++;
    for (markup::Object& object : sentences[i]->objects) object.raw = *next++;
  }
  gaps.back() = *next;
  return true;
}

}  // namespace ventris::documents

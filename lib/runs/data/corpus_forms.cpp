#include "data/corpus_forms.h"

#include <algorithm>

#include "core/process.h"
#include "data/pair_lines.h"

namespace ventris::data {
namespace {

constexpr const char* kWhere = "counting the forms of terms";

}  // namespace

std::shared_ptr<const CorpusForms> forms_in(const PairStore& pairs, metrics::Division division) {
  const std::vector<CorpusPart>& parts = pairs.summary().parts;
  const auto all = std::make_shared<CorpusForms>(parts.size());
  uint64_t begin = 0;
  for (size_t i = 0; i < parts.size(); begin += parts[i++].pairs) {
    const uint64_t count = std::min(parts[i].pairs, kMostFormPairs / parts.size());
    for (uint64_t number = begin; number < begin + count; ++number) {
      core::throw_if_stopped(kWhere);
      SentencePair pair = pairs.pair(static_cast<size_t>(number));
      (*all)[i].add({std::move(pair.source_text), std::move(pair.target_text), std::move(pair.links)}, division);
    }
    (*all)[i].finish();
  }
  return all;
}

modifiers::TermForms forms_in(const CorpusSpec& corpus, LinkReader& links) {
  modifiers::TermForms forms;
  PairLines lines(corpus.files);
  links.begin(corpus);
  modifiers::TextPair pair;
  for (uint64_t i = 0; i < kMostFormPairs && lines.next(pair.source, pair.target); ++i) {
    core::throw_if_stopped(kWhere);
    pair.links = links.next();
    if (!lines.cut()) forms.add(pair, links.division());
  }
  forms.finish();
  return forms;
}

}  // namespace ventris::data

#include "data/corpus_forms.h"

#include <algorithm>

#include "core/process.h"
#include "data/pair_lines.h"

namespace ventris::data {
namespace {

constexpr const char* kWhere = "counting the forms of terms";

}  // namespace

std::shared_ptr<const modifiers::TermForms> forms_in(const PairStore& pairs, metrics::Division division) {
  const auto forms = std::make_shared<modifiers::TermForms>();
  const auto count = static_cast<size_t>(std::min<uint64_t>(pairs.size(), kMostFormPairs));
  for (size_t i = 0; i < count; ++i) {
    core::throw_if_stopped(kWhere);
    SentencePair pair = pairs.pair(i);
    forms->add({std::move(pair.source_text), std::move(pair.target_text), std::move(pair.links)}, division);
  }
  forms->finish();
  return forms;
}

std::shared_ptr<const modifiers::TermForms> forms_in(const CorpusSpec& corpus, LinkReader& links) {
  const auto forms = std::make_shared<modifiers::TermForms>();
  PairLines lines(corpus.files);
  links.begin(corpus);
  modifiers::TextPair pair;
  for (uint64_t i = 0; i < kMostFormPairs && lines.next(pair.source, pair.target); ++i) {
    core::throw_if_stopped(kWhere);
    pair.links = links.next();
    if (!lines.cut()) forms->add(pair, links.division());
  }
  forms->finish();
  return forms;
}

}  // namespace ventris::data

#include "training/language_marks.h"

#include <utility>

#include "core/error.h"
#include "translation/languages.h"
#include "translation/model_text.h"

namespace ventris::training {
namespace {

using translation::Languages;

const std::string& first_given(const std::string& own, const std::string& usual) { return own.empty() ? usual : own; }

data::PairMarks marks_of(const Languages& languages, const data::CorpusSpec& corpus,
                         const settings::DataConfig& config) {
  const std::string& source = first_given(corpus.source_language, config.source_language);
  const std::string& target = first_given(corpus.target_language, config.target_language);
  if (corpus.tag_tells_language() && source.empty() && !languages.start_translations()) return {};
  if (corpus.tag_tells_language()) {
    fail<ConfigError>("data.corpora: ", corpus.files.source, ": this model is told languages by tokens of its own, so ",
                      "a tag cannot tell it '", corpus.target_language, "'; leave out its tag, or its target_language");
  }
  if (source.empty() && target.empty() && !languages.start_translations()) return {};
  try {
    translation::LanguageMarks marks = languages.marks(source, target);
    return {std::move(marks.before), std::move(marks.after), std::move(marks.target)};
  } catch (const ConfigError& error) {
    fail<ConfigError>("data.", error.what(), " (for ", corpus.files.source, ")");
  }
}

}  // namespace

std::vector<data::PairMarks> marks_of_corpora(const settings::RunConfig& config, const model::Package& package) {
  if (package.config.tokenizer.languages.empty()) return {};
  const text::Tokenizer source = translation::source_tokenizer(package),
                        target = translation::target_tokenizer(package, source);
  const Languages languages(package.config.tokenizer, source, target);
  if (config.data.named_languages().empty() && !languages.start_translations()) return {};
  std::vector<data::PairMarks> marks;
  for (const data::CorpusSpec& corpus : config.data.training())
    marks.push_back(marks_of(languages, corpus, config.data));
  return marks;
}

settings::RunConfig with_validation(settings::RunConfig config, const settings::FurtherCorpus& corpus) {
  settings::DataConfig& data = config.data;
  data.source_language = first_given(corpus.source_language, data.source_language);
  data.target_language = first_given(corpus.target_language, data.target_language);
  data.train = corpus.files;
  data.train_links.clear();
  data.corpora.clear();
  data.further_valid.clear();
  return config;
}

}  // namespace ventris::training

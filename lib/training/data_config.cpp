#include "training/data_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "text/model_check.h"

namespace ventris::training {

using nlohmann::json;

namespace {

/// Whether the text can be one piece: it has no space or comma, which separate pieces, and is not a special piece.
bool is_possible_tag(const std::string& tag) {
  static const std::vector<std::string> kSpecial{"<pad>", "<unk>", "<s>", "</s>"};
  const auto ends_it = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == ','; };
  return !tag.empty() && std::none_of(tag.begin(), tag.end(), ends_it) &&
         std::find(kSpecial.begin(), kSpecial.end(), tag) == kSpecial.end();
}

}  // namespace

std::vector<data::CorpusSpec> DataConfig::training() const {
  if (!train.source.empty()) return {{train}};
  std::vector<data::CorpusSpec> specs;
  for (const CorpusConfig& corpus : corpora) specs.push_back(corpus.spec);
  return specs;
}

CorpusConfig parse_corpus(core::JsonReader& reader) {
  CorpusConfig corpus;
  std::string tsv;
  reader.optional("source", corpus.spec.files.source);
  reader.optional("target", corpus.spec.files.target);
  reader.optional("tsv", tsv);
  const bool two = !corpus.spec.files.source.empty() && !corpus.spec.files.target.empty() && tsv.empty();
  const bool one = corpus.spec.files.source.empty() && corpus.spec.files.target.empty() && !tsv.empty();
  if (one) corpus.spec.files.source = tsv;
  reader.optional("weight", corpus.weight);
  if (reader.has("weight") && !(corpus.weight > 0)) {
    fail<ConfigError>(reader.path_of("weight"), ": must be over 0, got ", corpus.weight,
                      "; leave the corpus out instead");
  }
  reader.optional("tag", corpus.spec.tag);
  if (reader.has("tag") && !is_possible_tag(corpus.spec.tag)) {
    fail<ConfigError>(reader.path_of("tag"), ": expected a word like <bt>, without spaces and commas, got '",
                      corpus.spec.tag, "'");
  }
  if (corpus.spec.tag.size() > text::kLongestPiece) {
    fail<ConfigError>(reader.path_of("tag"), ": expected at most ", text::kLongestPiece, " bytes, got ",
                      corpus.spec.tag.size());
  }
  reader.optional("line_weights", corpus.spec.line_weights);
  reader.finish();
  if (!one && !two) fail<ConfigError>(reader.path(), ": expected \"source\" and \"target\", or \"tsv\"");
  return corpus;
}

json to_json(const CorpusConfig& corpus) {
  const data::CorpusSpec& spec = corpus.spec;
  json out = spec.files.target.empty() ? json{{"tsv", spec.files.source}}
                                       : json{{"source", spec.files.source}, {"target", spec.files.target}};
  if (corpus.weight > 0) out["weight"] = corpus.weight;
  if (!spec.tag.empty()) out["tag"] = spec.tag;
  if (!spec.line_weights.empty()) out["line_weights"] = spec.line_weights;
  return out;
}

void check(const DataConfig& data) {
  if (!data.train.source.empty() && !data.corpora.empty()) {
    fail<ConfigError>("data: both train and corpora are given; put all corpora into data.corpora");
  }
  const auto weighted = [](const CorpusConfig& corpus) { return corpus.weight > 0; };
  const auto weights = std::count_if(data.corpora.begin(), data.corpora.end(), weighted);
  if (weights != 0 && weights != static_cast<std::ptrdiff_t>(data.corpora.size())) {
    fail<ConfigError>("data.corpora: ", weights, " of ", data.corpora.size(),
                      " corpora have a weight; give a weight to all or none of them");
  }
  if (weights != 0 && data.temperature != 1) {
    fail<ConfigError>("data.temperature: is ", data.temperature,
                      ", but the corpora have weights, which already set their shares; leave one of them out");
  }
  const auto standard_input = [](const CorpusConfig& corpus) { return corpus.spec.files.source == "-"; };
  if (std::count_if(data.corpora.begin(), data.corpora.end(), standard_input) > 1) {
    fail<ConfigError>("data.corpora: standard input (-) can be read only once");
  }
}

}  // namespace ventris::training

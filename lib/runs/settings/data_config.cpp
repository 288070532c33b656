#include "settings/data_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/fields.h"
#include "model/language_tokens.h"
#include "settings/entry_section.h"
#include "text/model_check.h"

namespace ventris::settings {

using nlohmann::json;

namespace {

/// Whether the text can be one piece: it has no space or comma, which separate pieces, and is not a special piece.
bool is_possible_tag(const std::string& tag) {
  static const std::vector<std::string> kSpecial{"<pad>", "<unk>", "<s>", "</s>"};
  const auto ends_it = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == ','; };
  return !tag.empty() && std::none_of(tag.begin(), tag.end(), ends_it) &&
         std::find(kSpecial.begin(), kSpecial.end(), tag) == kSpecial.end();
}

/// An entry of "corpora" as it is written; what is empty or 0 is left out.
struct CorpusEntry {
  std::string source, target, tsv, text, labels;
  double weight = 0;
  std::string tag, source_language, target_language, line_weights, links, documents;
};

template <typename V>
void fields(V& visit, CorpusEntry& entry) {
  visit({"source", "Source file, a sentence per line."}, entry.source);
  visit({"target", "Target file, a sentence per line."}, entry.target);
  visit({"tsv",
         "One file with two TAB-separated columns, instead of `source` and `target`, or a translation memory (TMX) "
         "with its languages: `FILE.tmx:en:de`. `-` is standard input."},
        entry.tsv);
  visit({"text",
         "One file of running text, a sentence per line; empty lines end documents. Only for families that learn from "
         "running text."},
        entry.text);
  visit({"labels",
         "One file with a label, a TAB and a text on each line. Only for families that learn from labelled text."},
        entry.labels);
  visit({"weight",
         "Share of an epoch, relative to the weights of the other corpora; more than 0. Give a weight to all corpora "
         "or to none. Without weights, `data.temperature` decides."},
        entry.weight);
  visit({"tag", "Word without spaces and commas, at most " + std::to_string(text::kLongestPiece) +
                    " bytes long, that is put before every source of this corpus. It becomes a piece of a tokenizer "
                    "that the run learns."},
        entry.tag);
  visit({"source_language", "Code of the language of the sources. Without it: `data.source_language`."},
        entry.source_language);
  visit({"target_language",
         "Code of the language of the targets, such as `de`. With `tag`, the tag tells the model this language, and "
         "`ventris-translate --target-language` puts the tag before its sources. Without `tag`, the model has the "
         "language (`tokenizer.languages`). Without it: `data.target_language`."},
        entry.target_language);
  visit({"line_weights",
         "File with one number from 0 to 1e6 per line of the corpus, which multiplies the loss of that line. A number "
         "less than 1e-9 counts as 0."},
        entry.line_weights);
  visit({"links",
         "File with the links between the words of each line, such as `0-0 1-2`. Needs `corpora` in "
         "`training.guided_alignment.links`."},
        entry.links);
  visit({"documents",
         "File with the id of a document on each line; lines with the same id, one after the other, are a document. "
         "Without it, blank lines of both sides end documents. Needs `data.context.sentences`."},
        entry.documents);
}

/// What a family learns from, with the keys of an entry.
const char* corpora_of(architecture::CorpusKind kind) {
  switch (kind) {
    case architecture::CorpusKind::kRunningText: return "running text (\"text\")";
    case architecture::CorpusKind::kLabels: return "labelled text (\"labels\")";
    default: return "pairs (\"source\" and \"target\", or \"tsv\")";
  }
}

/// Throws ConfigError for a context that cannot be learnt.
void check_context(const DataConfig& data) {
  const data::ContextOptions& context = data.context;
  const auto has_documents = [](const CorpusConfig& corpus) { return !corpus.spec.documents.empty(); };
  if (context.sentences == 0 && std::ranges::any_of(data.corpora, has_documents)) {
    fail<ConfigError>("data.corpora: documents have an effect only with context; set data.context.sentences to 1 or ",
                      "more, or leave them out");
  }
  if (!is_possible_tag(context.separator) || context.separator.size() > text::kLongestPiece) {
    fail<ConfigError>("data.context.separator: expected a word like <sep>, without spaces and commas, of at most ",
                      text::kLongestPiece, " bytes, got '", context.separator, "'");
  }
}

}  // namespace

bool DataConfig::has(modifiers::ModifierKind kind) const {
  return std::ranges::any_of(modifiers, [kind](const auto& one) { return one.kind == kind; });
}

bool DataConfig::needs_links() const {
  return std::ranges::any_of(modifiers, [](const auto& one) { return modifiers::needs_links(one.kind); });
}

std::vector<data::CorpusSpec> DataConfig::training() const {
  if (!train.source.empty()) return {{.files = train, .links = train_links}};
  std::vector<data::CorpusSpec> specs;
  for (const CorpusConfig& corpus : corpora) specs.push_back(corpus.spec);
  if (specs.size() == 1 && !train_links.empty()) specs.front().links = train_links;
  return specs;
}

std::vector<std::pair<std::string, std::string>> DataConfig::named_languages() const {
  std::vector<std::pair<std::string, std::string>> named;
  const auto add = [&](const std::string& section, const std::string& source, const std::string& target) {
    if (!source.empty()) named.emplace_back(section + ".source_language", source);
    if (!target.empty()) named.emplace_back(section + ".target_language", target);
  };
  const auto entry = [](const char* list, size_t number) {
    return std::string(list) + "[" + std::to_string(number) + "]";
  };
  add("data", source_language, target_language);
  for (size_t i = 0; i < corpora.size(); ++i) {
    const data::CorpusSpec& spec = corpora[i].spec;
    add(entry("data.corpora", i), spec.source_language, spec.tag_tells_language() ? "" : spec.target_language);
  }
  for (size_t i = 0; i < further_valid.size(); ++i) {
    add(entry("data.further_valid", i), further_valid[i].source_language, further_valid[i].target_language);
  }
  return named;
}

CorpusConfig parse_corpus(core::JsonReader& reader) {
  CorpusEntry entry;
  core::FieldReader visit(reader);
  fields(visit, entry);
  if (reader.has("weight") && !(entry.weight > 0)) {
    fail<ConfigError>(reader.path_of("weight"), ": must be over 0, got ", entry.weight,
                      "; leave the corpus out instead");
  }
  if (reader.has("tag") && !is_possible_tag(entry.tag)) {
    fail<ConfigError>(reader.path_of("tag"), ": expected a word like <bt>, without spaces and commas, got '", entry.tag,
                      "'");
  }
  if (entry.tag.size() > text::kLongestPiece) {
    fail<ConfigError>(reader.path_of("tag"), ": expected at most ", text::kLongestPiece, " bytes, got ",
                      entry.tag.size());
  }
  if (entry.target_language.size() > model::kLongestLanguage) {
    fail<ConfigError>(reader.path_of("target_language"), ": expected at most ", model::kLongestLanguage, " bytes, got ",
                      entry.target_language.size());
  }
  reader.finish();
  const bool two = !entry.source.empty() && !entry.target.empty();
  const bool one = entry.source.empty() && entry.target.empty();
  const int given = two + !entry.tsv.empty() + !entry.text.empty() + !entry.labels.empty();
  if (given != 1 || (!one && !two)) {
    fail<ConfigError>(reader.path(), ": expected \"source\" and \"target\", or \"tsv\", or \"text\", or \"labels\"");
  }
  if (!entry.labels.empty() && !entry.tag.empty()) {
    fail<ConfigError>(reader.path(), ": labelled text (\"labels\") has no tag; leave it out");
  }
  if (!entry.text.empty() && (!entry.tag.empty() || !entry.line_weights.empty())) {
    fail<ConfigError>(reader.path(), ": running text (\"text\") has no tag and no line weights; leave them out");
  }
  data::CorpusFiles files{entry.source + entry.text + entry.labels, entry.target, !entry.text.empty(),
                          !entry.labels.empty()};
  if (!entry.tsv.empty()) files = data::in_one_file(entry.tsv);
  return {{std::move(files), entry.tag, entry.line_weights, entry.target_language, entry.links, entry.documents,
           entry.source_language},
          entry.weight};
}

json to_json(const CorpusConfig& corpus) {
  const data::CorpusSpec& spec = corpus.spec;
  const data::CorpusFiles& files = spec.files;
  CorpusEntry entry{name_of(files),
                    files.target,
                    "",
                    "",
                    "",
                    corpus.weight,
                    spec.tag,
                    spec.source_language,
                    spec.target_language,
                    spec.line_weights,
                    spec.links,
                    spec.documents};
  if (files.target.empty()) {
    std::swap(entry.source, files.running_text ? entry.text : files.labelled ? entry.labels : entry.tsv);
  }
  core::FieldWriter visit;
  fields(visit, entry);
  json out = json::object();
  for (const auto& [key, value] : visit.out.items()) {
    const bool missing = value.is_string() ? value.get_ref<const std::string&>().empty() : value == 0;
    if (!missing) out[key] = value;
  }
  return out;
}

core::SettingsSection describe_corpus() {
  core::FieldList list("data.corpora[]", "Each object of the list `data.corpora`.");
  CorpusEntry entry;
  fields(list, entry);
  return entry_section(list);
}

void set_corpus_kind(DataConfig& data, const architecture::Architecture& model) {
  const architecture::CorpusKind kind = model.corpus_kind();
  const bool text = kind == architecture::CorpusKind::kRunningText, labels = kind == architecture::CorpusKind::kLabels;
  std::vector<std::pair<const char*, data::CorpusFiles*>> all{{"data.train", &data.train}, {"data.valid", &data.valid}};
  for (FurtherCorpus& corpus : data.further_valid) all.emplace_back("data.further_valid", &corpus.files);
  for (const auto& [setting, files] : all) {
    files->running_text = text && !files->source.empty();
    files->labelled = labels && !files->source.empty();
    if ((!text && !labels) || files->target.empty()) continue;
    fail<ConfigError>(setting, ": a model of the family '", model.family(), "' learns from ",
                      text ? "running text" : "labelled text", ", which is one file; got two, ", files->source, " and ",
                      files->target);
  }
  for (const CorpusConfig& corpus : data.corpora) {
    const data::CorpusFiles& files = corpus.spec.files;
    if (files.running_text == text && files.labelled == labels) continue;
    fail<ConfigError>("data.corpora: a model of the family '", model.family(), "' learns from ", corpora_of(kind), "; ",
                      files.source, " is given as ",
                      files.running_text ? "running text"
                      : files.labelled   ? "labelled text"
                                         : "pairs");
  }
}

void check(const DataConfig& data) {
  check_context(data);
  if (!data.train.source.empty() && !data.corpora.empty()) {
    fail<ConfigError>("data: both train and corpora are given; put all corpora into data.corpora");
  }
  if (data.valid.source.empty() && !data.further_valid.empty()) {
    fail<ConfigError>("data.further_valid: needs data.valid, the corpus that decides which model is best; move one of ",
                      "the corpora there");
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

}  // namespace ventris::settings

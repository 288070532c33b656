#include "architecture/bert_classifier_options.h"

#include <nlohmann/json.hpp>
#include <set>

#include "architecture/bert_encoder.h"
#include "core/error.h"

namespace ventris::architecture {
namespace {

/// Every setting; `visit` is one of the visitors of family_fields.h.
template <typename V, typename Options, typename Labels>
void classifier_fields(V& visit, Options& options, Labels& labels) {
  bert_encoder_fields(visit, options, BertClassifierArchitecture::kSpecialTokens);
  visit({"labels",
         "The names of the classes. Empty: those that occur in the training corpus, sorted; the settings of the run "
         "and of its models then have them."},
        labels);
}

void check_labels(const std::string& setting, const std::vector<std::string>& labels) {
  if (labels.size() == 1) fail<ConfigError>(setting, ": expected at least 2 labels, got 1, '", labels.front(), "'");
  std::set<std::string> seen;
  for (const std::string& label : labels) {
    if (label.empty()) fail<ConfigError>(setting, ": a label is empty; expected a name");
    if (label.find_first_of("\t\n\r") != std::string::npos) {
      fail<ConfigError>(setting, ": the label '", label,
                        "' has a TAB or a line end, which no label in a file can have");
    }
    if (!seen.insert(label).second) fail<ConfigError>(setting, ": the label '", label, "' is given twice");
  }
}

}  // namespace

ArchitecturePtr parse_bert_classifier(core::JsonReader& reader) {
  BertOptions options;
  std::vector<std::string> labels;
  SettingsReader visit(reader);
  classifier_fields(visit, options, labels);
  check_bert_heads(reader, options);
  check_labels(reader.path_of("labels"), labels);
  return std::make_shared<const BertClassifierArchitecture>(options, labels);
}

nlohmann::json BertClassifierArchitecture::to_json() const {
  SettingsWriter visit;
  classifier_fields(visit, options, labels_);
  return visit.out;
}

std::vector<core::SettingDescription> BertClassifierArchitecture::describe() const {
  SettingsList visit;
  classifier_fields(visit, options, labels_);
  return visit.sections.front().settings;
}

ArchitecturePtr BertClassifierArchitecture::with_vocabularies(int64_t src_vocab, int64_t /*tgt_vocab*/) const {
  BertOptions changed = options;
  changed.vocab = src_vocab;
  return std::make_shared<const BertClassifierArchitecture>(changed, labels_);
}

ArchitecturePtr BertClassifierArchitecture::with_labels(const std::vector<std::string>& labels) const {
  return std::make_shared<const BertClassifierArchitecture>(options, labels);
}

void BertClassifierArchitecture::each_tensor(const TensorVisitor& visit) const {
  const BertTensorList tensors(options, visit);
  tensors.encoder();
  tensors.linear("classifier", options.d_model, static_cast<int64_t>(labels_.size()));
}

}  // namespace ventris::architecture

#include "architecture/bert_options.h"

#include <nlohmann/json.hpp>

#include "architecture/bert_encoder.h"

namespace ventris::architecture {
namespace {

using core::JsonReader;
using nlohmann::json;

/// Every setting; `visit` is one of the visitors of family_fields.h.
template <typename V, typename Options>
void bert_fields(V& visit, Options& options) {
  bert_encoder_fields(visit, options, BertArchitecture::kSpecialTokens);
  visit(
      {"mask_rate",
       "Share of the tokens of a passage that the model learns to predict. Of these, 80 % are replaced by [MASK], 10 % "
       "by a random token, and 10 % stay. The tokens are drawn again in each epoch."},
      options.mask_rate, {.least = 0, .over = 0, .under = 1});
  visit({"whole_words", "Hide all pieces of a word or none of them."}, options.whole_words);
  visit({"next_sentence",
         "Also learn whether the second part of a passage follows the first, or is from another passage."},
        options.next_sentence);
}

}  // namespace

ArchitecturePtr parse_bert(JsonReader& reader) {
  BertOptions options;
  SettingsReader visit(reader);
  bert_fields(visit, options);
  check_bert_heads(reader, options);
  return std::make_shared<const BertArchitecture>(options);
}

json BertArchitecture::to_json() const {
  SettingsWriter visit;
  bert_fields(visit, options);
  return visit.out;
}

std::vector<core::SettingDescription> BertArchitecture::describe() const {
  SettingsList visit;
  bert_fields(visit, options);
  return visit.sections.front().settings;
}

std::string BertArchitecture::other_use() const {
  return "use ventris-fill, ventris-embed or ventris-export --format huggingface, or start the encoder of a model that "
         "translates or classifies from this one (ventris-train --encoder-from)";
}

ArchitecturePtr BertArchitecture::with_vocabularies(int64_t src_vocab, int64_t /*tgt_vocab*/) const {
  BertOptions changed = options;
  changed.vocab = src_vocab;
  return std::make_shared<const BertArchitecture>(changed);
}

void BertArchitecture::each_tensor(const TensorVisitor& visit) const {
  const BertTensorList tensors(options, visit);
  tensors.encoder();
  visit("cls.predictions.bias", {options.vocab});
  tensors.linear("cls.predictions.transform.dense", options.d_model, options.d_model);
  tensors.norm("cls.predictions.transform");
  tensors.linear("cls.predictions.decoder", options.d_model, options.vocab);
  tensors.linear("cls.seq_relationship", options.d_model, 2);
}

}  // namespace ventris::architecture

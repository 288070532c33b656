#include "architecture/bert.h"

#include <nlohmann/json.hpp>

#include "architecture/fields.h"
#include "core/error.h"

namespace ventris::architecture {
namespace {

using core::JsonReader;
using nlohmann::json;

constexpr int64_t kMostPositions = 1 << 16;

/// Every setting; `visit` is one of the visitors of fields.h.
template <typename V, typename Options>
void fields(V& visit, Options& options) {
  visit.size({"d_model", "Width of the model: features of each position between the layers. A multiple of `heads`."},
             options.d_model);
  visit.size({"d_ff", "Features inside the feed-forward part of a layer."}, options.d_ff);
  visit.size({"heads", "Attention heads. Each of them looks at `d_model` / `heads` features."}, options.heads);
  visit.size({"layers", "Layers of the encoder."}, options.layers);
  visit.size(
      {"max_positions",
       "Longest input that the model can take, in tokens. Three of them are special tokens, so `data.max_length` "
       "must be at most `max_positions` - 3."},
      options.max_positions, 8, kMostPositions);
  visit.dropout({"dropout", "Probability of dropout of the embeddings and of the output of each part of a layer."},
                options.dropout);
  visit.dropout({"attention_dropout", "Dropout of attention weights."}, options.attention_dropout);
  visit({"norm_epsilon", "Added to the variance in layer norms."}, options.norm_epsilon, {.least = 0, .over = 0});
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

/// Names and shapes of the parameters, in the order in which the modules of families/bert.h register them.
class TensorList {
 public:
  TensorList(const BertOptions& options, const Architecture::TensorVisitor& visit) : options_(options), visit_(visit) {}

  void linear(const std::string& name, int64_t in, int64_t out) const {
    visit_(name + ".weight", {out, in});
    visit_(name + ".bias", {out});
  }
  void norm(const std::string& name) const {
    visit_(name + ".LayerNorm.weight", {options_.d_model});
    visit_(name + ".LayerNorm.bias", {options_.d_model});
  }
  void embeddings(const std::string& name) const {
    visit_(name + ".word_embeddings.weight", {options_.vocab, options_.d_model});
    visit_(name + ".position_embeddings.weight", {options_.max_positions, options_.d_model});
    visit_(name + ".token_type_embeddings.weight", {2, options_.d_model});
    norm(name);
  }
  void layer(const std::string& name) const {
    for (const char* part : {"query", "key", "value"}) {
      linear(name + ".attention.self." + part, options_.d_model, options_.d_model);
    }
    linear(name + ".attention.output.dense", options_.d_model, options_.d_model);
    norm(name + ".attention.output");
    linear(name + ".intermediate.dense", options_.d_model, options_.d_ff);
    linear(name + ".output.dense", options_.d_ff, options_.d_model);
    norm(name + ".output");
  }
  void heads() const {
    visit_("cls.predictions.bias", {options_.vocab});
    linear("cls.predictions.transform.dense", options_.d_model, options_.d_model);
    norm("cls.predictions.transform");
    linear("cls.predictions.decoder", options_.d_model, options_.vocab);
    linear("cls.seq_relationship", options_.d_model, 2);
  }

 private:
  const BertOptions& options_;
  const Architecture::TensorVisitor& visit_;
};

}  // namespace

ArchitecturePtr parse_bert(JsonReader& reader) {
  BertOptions options;
  SettingsReader visit(reader);
  fields(visit, options);
  if (options.d_model % options.heads != 0) {
    fail<ConfigError>(reader.path_of("d_model"), ": must be a multiple of heads (", options.heads, "), got ",
                      options.d_model);
  }
  return std::make_shared<const BertArchitecture>(options);
}

json BertArchitecture::to_json() const {
  SettingsWriter visit;
  fields(visit, options);
  return visit.out;
}

std::vector<core::SettingDescription> BertArchitecture::describe() const {
  SettingsList visit;
  fields(visit, options);
  return visit.sections.front().settings;
}

std::string BertArchitecture::other_use() const {
  return "use ventris-fill, ventris-embed or ventris-export --format huggingface, or start the encoder of a model that "
         "translates from this one (ventris-train --encoder-from)";
}

ArchitecturePtr BertArchitecture::with_vocabularies(int64_t src_vocab, int64_t /*tgt_vocab*/) const {
  BertOptions changed = options;
  changed.vocab = src_vocab;
  return std::make_shared<const BertArchitecture>(changed);
}

void BertArchitecture::check_tokenizers(bool shared) const {
  if (!shared) fail<ConfigError>("tokenizer.shared: a bert model reads one language; it must be true, got false");
}

void BertArchitecture::each_tensor(const TensorVisitor& visit) const {
  const TensorList tensors(options, visit);
  tensors.embeddings("bert.embeddings");
  for (int64_t i = 0; i < options.layers; ++i) tensors.layer("bert.encoder.layer." + std::to_string(i));
  tensors.linear("bert.pooler.dense", options.d_model, options.d_model);
  tensors.heads();
}

}  // namespace ventris::architecture

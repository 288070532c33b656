#include "imports/huggingface_marian.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/human.h"
#include "files/paths.h"
#include "imports/huggingface_folder.h"
#include "imports/huggingface_seq2seq.h"

namespace ventris::imports {
namespace {

using architecture::TransformerOptions;

/// The settings of MarianMT that other values would make another model.
void check_config(const ConfigFile& config) {
  config.expect_flag("normalize_before", false, "a MarianMT has its norms after each block");
  config.expect_flag("add_final_layer_norm", false, "a MarianMT has no final norm");
  config.expect_flag("normalize_embedding", false, "a MarianMT has no norm of embeddings");
  config.expect_flag("static_position_embeddings", true, "a MarianMT has sinusoids as positions");
  config.expect_flag("add_bias_logits", false, "the bias of a MarianMT is final_logits_bias");
}

/// The languages that a token such as ">>por<<" before the source asks for.
model::LanguageMap languages_of(const NewVocabulary& source) {
  const std::string before = ">>", after = "<<";
  model::LanguageMap languages;
  for (const std::string& text : source.texts) {
    const size_t around = before.size() + after.size();
    if (text.size() <= around || !text.starts_with(before) || !text.ends_with(after)) continue;
    languages[text.substr(before.size(), text.size() - around)].to_prefix = {text};
  }
  return languages;
}

/// Old files store the sinusoids. Throws ModelError if they are not those of MarianMT.
void check_positions(const TensorSource& tensors, const TransformerOptions& options, BundleWeights& weights) {
  constexpr float kRounding = 1e-3F;
  for (const char* name : {"model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"}) {
    weights.ignore(name);
    if (!tensors.contains(name)) continue;
    const std::vector<float> table = floats_of_shape(tensors, name, {options.max_positions, options.d_model});
    const int64_t half = options.d_model / 2;
    for (int64_t position = 0; position < options.max_positions; ++position) {
      for (int64_t i = 0; i < half; ++i) {
        const double angle = static_cast<double>(position) /
                             std::pow(10000.0, 2.0 * static_cast<double>(i) / static_cast<double>(options.d_model));
        const float* row = table.data() + position * options.d_model;
        if (std::abs(row[i] - std::sin(angle)) > kRounding || std::abs(row[half + i] - std::cos(angle)) > kRounding) {
          fail<ModelError>(tensors.where(), ": tensor '", name, "': expected the sinusoids of MarianMT, found other ",
                           "values in row ", position);
        }
      }
    }
  }
}

Sides read_vocabularies(const std::string& folder, const ConfigFile& config, std::string& source_spm,
                        std::string& target_spm) {
  source_spm = huggingface_spm(folder, "source.spm");
  target_spm = huggingface_spm(folder, "target.spm");
  Sides sides;
  sides.source_rows = huggingface_rows(config, "vocab_size");
  sides.target_rows = huggingface_rows(config, "decoder_vocab_size", sides.source_rows);
  const bool separate = files::exists(folder + "/target_vocab.json");
  const auto read = [&](const char* name, int64_t rows, const std::vector<std::string_view>& spms) {
    const std::string where = folder + "/" + name;
    return new_vocabulary(with_special_rows(config, token_rows(folder, name, rows), "pad_token_id", where), spms,
                          where);
  };
  if (separate) {
    sides.source = read("vocab.json", sides.source_rows, {source_spm});
    sides.target = read("target_vocab.json", sides.target_rows, {target_spm});
  } else {
    if (sides.target_rows != sides.source_rows) {
      fail<ModelError>(config.path(), ": decoder_vocab_size: expected ", sides.source_rows, ", as vocab_size, because ",
                       "there is no target_vocab.json, found ", sides.target_rows);
    }
    sides.source = sides.target = read("vocab.json", sides.source_rows, {source_spm, target_spm});
  }
  source_spm = new_spm(source_spm, sides.source);
  target_spm = new_spm(target_spm, sides.target);
  return sides;
}

std::vector<std::string> notes_of(const Sides& sides, const TransformerOptions& options) {
  std::vector<std::string> notes{fmt::format(
      "the features of the model are in another order, so that its positions are those of this program; the longest "
      "sentence has {} tokens",
      options.max_positions)};
  note_pieces_without_row(sides.source, notes);
  const model::LanguageMap languages = languages_of(sides.source);
  if (!languages.empty()) {
    notes.push_back(fmt::format("it translates into {}; --target-language says into which",
                                core::count_of(static_cast<int64_t>(languages.size()), "language")));
  }
  return notes;
}

}  // namespace

Imported from_marian_folder(const std::string& folder) {
  const ConfigFile config(folder + "/config.json");
  const bool pegasus = config.text("model_type", "") == "pegasus";
  if (!pegasus) check_config(config);
  TransformerOptions options = seq2seq_options(config);
  options.norm = pegasus ? architecture::NormPlace::kPre : architecture::NormPlace::kPost;
  Imported imported;
  model::Package& package = imported.package;
  const Sides sides = read_vocabularies(folder, config, package.source_spm, package.target_spm);
  const auto tensors = huggingface_weights(folder);
  const Order features = alternating(options.d_model);
  BundleWeights weights(*tensors, options, features);
  take_seq2seq(config, *tensors, sides, options, weights);
  check_positions(*tensors, options, weights);
  imported.weights = weights.finish();
  configure(package, options, sides, folder);
  package.config.decoding = huggingface_decoding(folder, config);
  package.config.tokenizer.languages = languages_of(sides.source);
  imported.what = std::string("a ") + (pegasus ? "Pegasus" : "MarianMT") + " of Hugging Face's transformers";
  imported.notes = notes_of(sides, options);
  return imported;
}

}  // namespace ventris::imports

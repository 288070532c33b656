#include "imports/pytorch_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "architecture/sinusoids.h"
#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "core/special_ids.h"
#include "exports/pytorch_names.h"
#include "files/files.h"
#include "imports/layer_weights.h"
#include "imports/tensor_source.h"
#include "model/safetensors.h"
#include "text/model_check.h"
#include "text/model_proto.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using architecture::TransformerOptions;
using architecture::Tying;
using exports::PytorchNames;
using exports::TensorPlace;

constexpr int64_t kUsualHead = 64;  // features
constexpr const char* kPickleStart = "\x80\x02";  // how files of torch.save began before PyTorch 1.6
constexpr int64_t kMostPositions = 1024;  // of sinusoids, which have no end

std::unique_ptr<TensorSource> open_tensors(const std::string& path) {
  const std::string begin = first_bytes(path, 2);
  return begin == "PK" || begin == kPickleStart ? open_state_dict(path) : open_safetensors(path);
}

/// The code whose names these are; null if none is known.
const PytorchNames* names_in(const TensorSource& tensors) {
  for (const PytorchNames& names : exports::all_pytorch_names()) {
    const bool tables =
        tensors.contains(names.source_table) && tensors.contains(names.target_table) && tensors.contains(names.output);
    const bool norms = tensors.contains(names.place("encoder.layers.0.sublayer.0.norm.weight").name);
    if (tables && norms) return &names;
  }
  return nullptr;
}

int64_t heads_of(const PytorchOptions& given, int64_t d_model) {
  const int64_t heads = given.heads > 0 ? given.heads : std::max<int64_t>(1, d_model / kUsualHead);
  if (d_model % heads == 0) return heads;
  fail<ConfigError>("--heads: expected a divisor of ", d_model, ", the width of the model, found ", heads);
}

/// A tokenizer with the ids of the model, and what became of its rows.
struct TakenVocabulary {
  std::string spm;
  NewVocabulary rows;
};

int64_t id_of(const std::vector<text::ModelPiece>& pieces, std::string_view text) {
  const auto found = std::ranges::find(pieces, text, &text::ModelPiece::text);
  return found == pieces.end() ? -1 : found - pieces.begin();
}

TakenVocabulary take_vocabulary(const std::string& path, int64_t rows) {
  std::string bytes = files::read_plain_file(path);
  text::check_model(bytes, path);
  const auto model = text::parse_model_proto(bytes);
  Vocabulary old;
  for (const text::ModelPiece& piece : model->pieces) old.texts.emplace_back(piece.text);
  if (static_cast<int64_t>(old.texts.size()) != rows) {
    fail<ModelError>(path, ": expected a tokenizer with the ", rows, " tokens of the model, found ", old.texts.size());
  }
  const int64_t pad = id_of(model->pieces, "<pad>");
  old.pad = pad < 0 ? kZeroRow : pad;
  old.unk = id_of(model->pieces, "<unk>");
  old.eos = id_of(model->pieces, "</s>");
  old.start = id_of(model->pieces, "<s>");
  for (const auto& [text, id] : {std::pair("<unk>", old.unk), {"</s>", old.eos}, {"<s>", old.start}}) {
    if (id < 0) fail<ModelError>(path, ": has no piece ", text, ", which the model needs");
  }
  const core::SpecialIds ids;
  const bool ours = old.pad == ids.pad && old.unk == ids.unk && old.start == ids.bos && old.eos == ids.eos;
  if (ours) return {bytes, {old.texts, unchanged(rows), rows}};
  NewVocabulary made = new_vocabulary(old, {}, path);
  std::string spm = new_spm(bytes, made);
  return {std::move(spm), std::move(made)};
}

class PytorchReader {
 public:
  PytorchReader(const TensorSource& tensors, const PytorchNames& names, const PytorchOptions& given)
      : tensors_(tensors), names_(names) {
    names.settings(options_);
    const auto [sources, width] = matrix_shape(tensors, names.source_table);
    const std::string first = names.layer + "0.";
    options_.d_model = width;
    if (width % 2 != 0) {
      fail<ModelError>(tensors.where(), ": tensor '", names.source_table, "': expected an even width, found ", width);
    }
    options_.src_vocab = sources;
    options_.tgt_vocab = matrix_shape(tensors, names.target_table).first;
    options_.encoder_layers = layers_of(tensors, names.layer);
    std::string decoder = names.layer;
    decoder.replace(decoder.find("encoder"), 7, "decoder");
    options_.decoder_layers = layers_of(tensors, decoder);
    options_.heads = heads_of(given, width);
    options_.max_positions = kMostPositions;
    const int64_t keys = matrix_shape(tensors, first + names.queries).first / names.stacked;
    if (keys != width) options_.d_k = options_.d_v = keys / options_.heads;
    if (options_.decoder_layers == 0) fail<ModelError>(tensors.where(), ": has no layers of a decoder");
    set_inner_widths(tensors, first + names.inner, decoder + "0." + names.inner, options_);
    output_is_target_ = same(names_.output, names_.target_table);
  }

  const TransformerOptions& options() const { return options_; }

  /// model.safetensors; options() are those of this file afterwards.
  std::string weights(const Sides& sides) {
    options_.src_vocab = static_cast<int64_t>(sides.source.rows.size());
    options_.tgt_vocab = static_cast<int64_t>(sides.target.rows.size());
    options_.tying = tying(sides);
    std::map<std::string, std::vector<float>> values;
    std::vector<model::TensorView> views;
    std::map<std::string, std::string> metadata{{"format", "pt"}};
    const auto tied = architecture::tied_tensors(options_.tying);
    architecture::each_transformer_tensor(
        options_, options_.max_positions, [&](const std::string& name, const std::vector<int64_t>& shape) {
          used_.insert(names_.place(name).name);
          if (const auto tie = tied.find(name); tie != tied.end()) {
            metadata["alias:" + name] = tie->second;
            return;
          }
          const bool source = name.starts_with("src_embed.0");
          const std::vector<float>& made = values[name] = take(name, shape, source ? sides.source : sides.target);
          views.push_back({name,
                           model::DType::kF32,
                           shape,
                           {reinterpret_cast<const char*>(made.data()), made.size() * sizeof(float)}});
        });
    check_others();
    return model::write_safetensors(views, metadata);
  }

 private:
  bool same(const std::string& a, const std::string& b) const {
    return tensors_.shape(a) == tensors_.shape(b) && tensors_.floats(a) == tensors_.floats(b);
  }

  /// Tables that are equal are tied, as the code has tied them. A table of both sides needs the same tokens on both.
  Tying tying(const Sides& sides) const {
    if (!output_is_target_) return Tying::kNone;
    if (names_.scales_output) return Tying::kNone;  // its output has another factor
    const bool both = sides.have_common_ids() && same(names_.source_table, names_.target_table);
    return both ? Tying::kAll : Tying::kDecoder;
  }

  static bool has_tokens(const std::string& name) {
    return name.find("lut") != std::string::npos || name.starts_with("generator");
  }

  /// `tokens_of`: the vocabulary, if the tensor has a row for each token.
  std::vector<float> take(const std::string& name, const std::vector<int64_t>& shape,
                          const NewVocabulary& tokens_of) const {
    const TensorPlace place = names_.place(name);
    std::vector<int64_t> theirs = shape;
    const bool tokens = has_tokens(name);
    if (tokens)
      theirs[0] = matrix_shape(tensors_, name.starts_with("src") ? names_.source_table : names_.target_table).first;
    theirs[0] *= place.parts;
    std::vector<float> values = place.name.empty()
                                    ? std::vector<float>(static_cast<size_t>(model::elements_of(theirs)), 0.0F)
                                    : floats_of_shape(tensors_, place.name, theirs);
    if (place.parts > 1) {
      const auto size = static_cast<std::ptrdiff_t>(values.size()) / place.parts;
      values = {values.begin() + place.part * size, values.begin() + (place.part + 1) * size};
    }
    if (tokens && shape.size() > 1) values = rows_in(tokens_of.rows, values, shape[1]);
    if (tokens && shape.size() == 1) values = output_bias(tokens_of, values);
    scale(name, place, values);
    return values;
  }

  /// What the code computes with a factor: the norm of The Annotated Transformer divides by the unbiased deviation.
  void scale(const std::string& name, const TensorPlace& place, std::vector<float>& values) const {
    const auto width = static_cast<double>(options_.d_model);
    float factor = 1;
    if (place.name.ends_with(".a_2")) factor = static_cast<float>(std::sqrt((width - 1) / width));
    if (names_.scales_output && output_is_target_ && name == "generator.proj.weight")
      factor = static_cast<float>(1 / std::sqrt(width));
    if (factor == 1) return;
    for (float& value : values) value *= factor;
  }

  /// Throws for a tensor that nothing has asked for.
  void check_others() const {
    for (const std::string& name : tensors_.names()) {
      if (used_.contains(name)) continue;
      if (!names_.sinusoids.contains(name)) {
        fail<ModelError>(tensors_.where(), ": tensor '", name, "': ", names_.code, " has no such part");
      }
      check_sinusoids(name);
    }
  }

  /// The table of sinusoids, [positions, d_model] with one dimension more of size 1.
  void check_sinusoids(const std::string& name) const {
    constexpr float kRounding = 1e-3F;
    const std::vector<float> found = tensors_.floats(name);
    const int64_t count = static_cast<int64_t>(found.size()) / options_.d_model;
    const std::vector<float> expected = architecture::sinusoid_table(std::min(count, kMostPositions), options_.d_model);
    for (size_t i = 0; i < expected.size(); ++i) {
      if (std::abs(found[i] - expected[i]) <= kRounding) continue;
      fail<ModelError>(tensors_.where(), ": tensor '", name, "': expected sinusoids, found other values in position ",
                       static_cast<int64_t>(i) / options_.d_model);
    }
  }

  const TensorSource& tensors_;
  const PytorchNames& names_;
  TransformerOptions options_;
  bool output_is_target_ = false;  // the output layer has the weights of the embeddings of the target
  std::set<std::string> used_;
};

}  // namespace

bool is_state_dict(const std::string& path) {
  const std::string begin = first_bytes(path, 9);
  return begin.starts_with("PK") || begin.starts_with(kPickleStart) || (begin.size() == 9 && begin[8] == '{');
}

Imported from_pytorch_model(const std::string& path, const PytorchOptions& given) {
  const auto tensors = open_tensors(path);
  if (given.tokenizers.empty()) {
    fail<ConfigError>("--tokenizer: a state dict has no tokenizer; give the SentencePiece model of both sides, or ",
                      "those of source and target");
  }
  const PytorchNames* names = names_in(*tensors);
  if (names == nullptr) {
    fail<ModelError>(
        path, ": expected the tensors of The Annotated Transformer, of torch.nn.Transformer with the ",
        "names of PyTorch's tutorial on translation, or of attention-is-all-you-need-pytorch; found others");
  }
  PytorchReader reader(*tensors, *names, given);
  const TakenVocabulary source = take_vocabulary(given.tokenizers.front(), reader.options().src_vocab),
                        target = take_vocabulary(given.tokenizers.back(), reader.options().tgt_vocab);
  Imported imported;
  const Sides sides{reader.options().src_vocab, reader.options().tgt_vocab, source.rows, target.rows};
  imported.weights = reader.weights(sides);
  imported.package.source_spm = source.spm;
  imported.package.target_spm = target.spm;
  configure(imported.package, reader.options(), sides, path);
  imported.what = "a state dict of " + names->code;
  if (given.heads == 0) {
    imported.notes.push_back(
        fmt::format("the state dict does not say how many heads there are; {} were assumed, give "
                    "--heads if it has others",
                    reader.options().heads));
  }
  imported.notes.emplace_back(
      "the source of the bundle has no start token; a code that puts one before its sources computes something else");
  return imported;
}

}  // namespace ventris::imports

#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/package.h"
#include "model/safetensors.h"
#include "support/shape_of.h"
#include "support/tiny_text.h"

namespace ventris::test {

/// Tensors as a file is made of them, with the bytes they look at.
class TensorList {
 public:
  TensorList& add(const std::string& name, const std::vector<int64_t>& shape) {
    const auto count = static_cast<size_t>(model::elements_of(shape));
    std::string bytes;
    for (size_t i = 0; i < 4 * count; ++i) {
      const size_t mask = i % 4 == 3 ? 0x3F : 0xFF;  // the exponent: no value is NaN or infinite
      bytes += static_cast<char>((7 * i + names_.size()) & mask);
    }
    names_.push_back(name);
    shapes_.push_back(shape);
    bytes_.push_back(bytes);
    return *this;
  }
  std::vector<model::TensorView> views() const {
    std::vector<model::TensorView> views;
    for (size_t i = 0; i < names_.size(); ++i) views.push_back({names_[i], model::DType::kF32, shapes_[i], bytes_[i]});
    return views;
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<int64_t>> shapes_;
  std::vector<std::string> bytes_;
};

/// d_model 4, one layer on each side, a shared tokenizer, all embeddings tied.
inline model::ModelConfig tiny_config(int64_t vocab) {
  model::ModelConfig config;
  auto& shape = shape_of(config);
  shape.d_model = 4;
  shape.d_ff = 8;
  shape.heads = 2;
  shape.encoder_layers = shape.decoder_layers = 1;
  shape.max_positions = 16;
  shape.src_vocab = shape.tgt_vocab = vocab;
  config.provenance = R"({"program":"ventris-train","updates":7})";
  return config;
}

/// With a real tokenizer.
inline model::Package tiny_package() {
  const auto tokenizer = tiny_tokenizer(text::TokenizerKind::kUnigram);
  model::Package package;
  package.config = tiny_config(tokenizer.size());
  package.source_spm = package.target_spm = tokenizer.bytes();
  return package;
}

/// All tensors of a Transformer whose embeddings are all tied, the tied ones once.
inline std::string weights_of(const architecture::Architecture& architecture) {
  const std::map<std::string, std::string> ties{{"alias:tgt_embed.0.lut.weight", "src_embed.0.lut.weight"},
                                                {"alias:generator.proj.weight", "src_embed.0.lut.weight"}};
  TensorList tensors;
  architecture.each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    if (!ties.contains("alias:" + name)) tensors.add(name, shape);
  });
  std::map<std::string, std::string> metadata = ties;
  metadata["format"] = "pt";
  return model::write_safetensors(tensors.views(), metadata);
}

inline std::string tiny_weights(int64_t vocab) { return weights_of(*tiny_config(vocab).architecture); }

inline void write_tiny_bundle(const std::string& path) {
  const model::Package package = tiny_package();
  model::write_bundle(path, package, tiny_weights(package.config.architecture->src_vocab()));
}

}  // namespace ventris::test

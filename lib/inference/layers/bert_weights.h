#pragma once
#include <cstdint>

#include "architecture/bert_options.h"
#include "layers/weights.h"

namespace ventris::layers {

/// The weights of a BERT, with the heads of its pre-training or with a classifier, packed for products. Names as in
/// families/bert.h.
struct BertWeights {
  TransformerWeights encoder;  ///< its embeddings have the vector of segment 0 in those of the positions; no decoder
  Matrix pooler;               ///< [d_model, d_model], always in f32
  Matrix transform;            ///< [d_model, d_model]; this and the next two are empty in a classifier
  Norm transform_norm;
  Matrix predictions;          ///< [vocab, d_model]; shares its weights with the embeddings of the tokens
  Matrix classifier;           ///< [labels, d_model], always in f32; empty unless it is a classifier
};

/// Packs the weights of a BERT (`labels` = 0) or of a classifier with this number of labels. The head of next-sentence
/// prediction is left out. Throws as pack_weights().
BertWeights pack_bert(const architecture::BertOptions& options, int64_t labels, const model::Safetensors& file,
                      Precision precision);

}  // namespace ventris::layers

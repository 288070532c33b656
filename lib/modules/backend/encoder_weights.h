#pragma once
#include "model/safetensors.h"
#include "nn/model.h"

namespace ventris::backend {

/// Copies the encoder of a BERT into a classifier or a Transformer whose settings fit (preparation/starting_encoder.h).
/// Their other parameters stay as they are. A classifier has the encoder with its pooler under the same names. In a
/// Transformer, a source has no [CLS], so token i of a source gets the position that it had behind
/// [CLS]. The encoder then computes the states of the BERT for "[CLS] source [SEP]" with segment 0, if no token looks
/// at [CLS].
///
/// Embeddings multiplies token vectors by sqrt(d_model), and a layer norm follows. The position vectors are therefore
/// multiplied by sqrt(d_model), too, and the token vectors are copied as they are: the layer norm removes the common
/// factor, and a step of the optimizer changes them as much as in the BERT. (The norm's epsilon, 1e-12 in a BERT, must
/// be small against the variance of the vectors.)
/// Throws ModelError if a tensor is missing or has another shape.
void load_encoder(nn::ModelImpl& model, const model::Safetensors& bert);

}  // namespace ventris::backend

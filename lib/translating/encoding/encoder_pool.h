#pragma once
#include <memory>
#include <string>

#include "decoding/text_encoder.h"
#include "encoding/line_files.h"
#include "model/package.h"
#include "translation/lending_pool.h"

namespace ventris::encoding {

/// A model whose encoder is used, with an encoder for each thread. Thread-safe.
class EncoderPool {
 public:
  using Lent = translation::LendingPool<std::unique_ptr<decoding::TextEncoder>>::Lent;

  /// Opens the model of `options`. Throws as translation::open_encoder().
  EncoderPool(const std::string& model, const LineOptions& options);
  /// A model that is open already, with `threads` encoders.
  EncoderPool(model::Package package, const decoding::TextEncoderFactory& encoders, int threads);

  const model::Package& package() const { return package_; }
  const decoding::TextEncoderInfo& info() const { return info_; }
  /// Waits until an encoder is free.
  Lent lend() const { return pool_->lend(); }

 private:
  model::Package package_;
  std::unique_ptr<translation::LendingPool<std::unique_ptr<decoding::TextEncoder>>> pool_;
  decoding::TextEncoderInfo info_;
};

}  // namespace ventris::encoding

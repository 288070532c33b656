#include "encoding/encoder_pool.h"

#include <utility>

#include "translation/open_encoder.h"

namespace ventris::encoding {
namespace {

EncoderPool opened(const std::string& model, const LineOptions& options) {
  translation::EncoderModel found = translation::open_encoder(model, options.computing);
  return {std::move(found.package), *found.encoders, options.threads};
}

}  // namespace

EncoderPool::EncoderPool(const std::string& model, const LineOptions& options) : EncoderPool(opened(model, options)) {}

EncoderPool::EncoderPool(model::Package package, const decoding::TextEncoderFactory& encoders, int threads)
    : package_(std::move(package)),
      pool_(std::make_unique<translation::LendingPool<std::unique_ptr<decoding::TextEncoder>>>()) {
  for (int i = 0; i < threads; ++i) pool_->add(encoders.make_encoder());
  info_ = (*pool_->lend())->info();
}

}  // namespace ventris::encoding

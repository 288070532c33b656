#include "text/piece_encoder.h"

#include <sentencepiece_processor.h>

#include <utility>

#include "core/error.h"
#include "files/files.h"
#include "text/processor.h"

namespace ventris::text {

struct PieceEncoder::Model {
  std::string where;
  uint32_t checksum = 0;
  sentencepiece::SentencePieceProcessor processor;
};

PieceEncoder::PieceEncoder(const std::string& bytes, const std::string& where) {
  auto model = std::make_shared<Model>();
  load_processor(model->processor, bytes, where);
  model->where = where;
  model->checksum = files::crc32(bytes);
  model_ = std::move(model);
}

PieceEncoder PieceEncoder::from_file(const std::string& path) { return {files::read_file(path), path}; }

std::vector<std::string> PieceEncoder::encode(std::string_view text) const {
  std::vector<std::string> pieces;
  const auto status = model_->processor.Encode(text, &pieces);
  if (!status.ok()) fail<ModelError>(model_->where, ": cannot encode a text: ", status.ToString());
  return pieces;
}

uint32_t PieceEncoder::checksum() const { return model_->checksum; }

}  // namespace ventris::text

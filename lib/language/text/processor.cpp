#include "text/processor.h"

#include <sentencepiece_processor.h>

#include <exception>
#include <new>

#include "core/error.h"
#include "text/model_check.h"

namespace ventris::text {
namespace {

/// The library's error message; empty = no error. (Its tables throw their own exceptions.)
std::string load(sentencepiece::SentencePieceProcessor& processor, const std::string& bytes) {
  try {
    const auto status = processor.LoadFromSerializedProto(bytes);
    return status.ok() ? "" : status.ToString();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

ModelProto load_processor(sentencepiece::SentencePieceProcessor& processor, const std::string& bytes,
                          const std::string& where) {
  ModelProto model = check_model(bytes, where);
  const std::string problem = load(processor, model.self_tests ? without_self_tests(bytes) : bytes);
  if (!problem.empty()) fail<ModelError>(where, ": not a usable SentencePiece model: ", problem);
  return model;
}

}  // namespace ventris::text

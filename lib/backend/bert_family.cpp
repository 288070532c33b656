#include "architecture/bert.h"
#include "backend/families.h"
#include "nn/bert.h"

namespace ventris::backend {
namespace {

nn::Model make_bert(const architecture::Architecture& architecture) {
  return std::make_shared<nn::BertForPreTrainingImpl>(
      dynamic_cast<const architecture::BertArchitecture&>(architecture).options);
}

}  // namespace

Family bert_family() { return {make_bert}; }

}  // namespace ventris::backend

#include "architecture/bert_options.h"
#include "backend/families.h"
#include "families/bert.h"

namespace ventris::backend {
namespace {

nn::Model make_bert(const architecture::Architecture& architecture) {
  return std::make_shared<families::BertForPreTrainingImpl>(
      dynamic_cast<const architecture::BertArchitecture&>(architecture).options);
}

}  // namespace

Family bert_family() { return {make_bert}; }

}  // namespace ventris::backend

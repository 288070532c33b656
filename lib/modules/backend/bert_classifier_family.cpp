#include "architecture/bert_classifier_options.h"
#include "backend/families.h"
#include "families/bert_classifier.h"

namespace ventris::backend {
namespace {

nn::Model make_bert_classifier(const architecture::Architecture& architecture) {
  const auto& settings = dynamic_cast<const architecture::BertClassifierArchitecture&>(architecture);
  return std::make_shared<families::BertForSequenceClassificationImpl>(settings.options,
                                                                       static_cast<int64_t>(settings.labels().size()));
}

}  // namespace

Family bert_classifier_family() { return {make_bert_classifier}; }

}  // namespace ventris::backend

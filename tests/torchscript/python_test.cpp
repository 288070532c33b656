#include <gtest/gtest.h>
#include <torch/torch.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "families/rnn.h"
#include "support/model_writer.h"
#include "support/nat_kinds.h"
#include "support/python_twins.h"
#include "support/rnn_kinds.h"
#include "support/temp_folder.h"
#include "torchscript/torchscript.h"

namespace ventris::torchscript {
namespace {

/// Exports of random models, one of each kind, which Python loads. (Together, because torch takes seconds to start.)
class PythonLoads : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_python_of_torch()) GTEST_SKIP() << test::kNoPython;
  }

  /// Writes the export of a model.
  void write(const std::string& name, const nn::Model& model, architecture::ArchitecturePtr architecture) {
    model::Package package;
    package.config.architecture = std::move(architecture);
    package.source_spm = package.target_spm = test::written_model(19);
    files.push_back(folder.file(name + ".pt", write_torchscript(model, package)));
  }

  test::TempFolder folder;
  std::vector<std::string> files;
};

TEST_F(PythonLoads, RecurrentModelsAndComputesTheSame) {
  for (const architecture::RnnOptions& options : test::rnn_kinds()) {
    torch::manual_seed(4);
    families::RnnEncoderDecoder model(options);
    model->initialise();
    model->eval();
    write(test::name_of(options), model.ptr(), std::make_shared<architecture::RnnArchitecture>(options));
  }
  test::expect_python_agrees(files);
}

TEST_F(PythonLoads, NonAutoregressiveModelsAndComputesTheSame) {
  for (const auto& [name, options] : test::nat_kinds()) {
    write(name, test::random_nat(options, 4).ptr(), std::make_shared<architecture::NatArchitecture>(options));
  }
  test::expect_python_agrees(files);
}

}  // namespace
}  // namespace ventris::torchscript

#include "scripting/rnn_script_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::scripting {
namespace {

using architecture::RecurrentCell;
using architecture::Scoring;
using testing::HasSubstr;
using testing::Not;

class RnnScriptSourceTest : public testing::Test {
 protected:
  RnnScriptSource source() const { return {options, {}}; }
  architecture::RnnOptions options;
};

TEST_F(RnnScriptSourceTest, LayersAreUnrolledWithDropoutBetweenThem) {
  EXPECT_THAT(source().encoder_rnn(), Not(HasSubstr("self.dropout")));
  options.encoder_layers = 2;
  EXPECT_THAT(source().encoder_rnn(), HasSubstr("data = self.dropout.forward(data)"));
  EXPECT_THAT(source().encoder_rnn(), HasSubstr("self.bias_hh_l1_reverse]"));
  EXPECT_THAT(source().decoder_rnn(), Not(HasSubstr("_l1")));
}

TEST_F(RnnScriptSourceTest, TheCellDecidesTheKernels) {
  EXPECT_THAT(source().decoder_rnn(), HasSubstr("torch.gru_cell("));
  options.cell = RecurrentCell::kLstm;
  for (const char* kernel : {"torch.lstm(", "torch.lstm_cell("}) EXPECT_THAT(source().decoder_rnn(), HasSubstr(kernel));
  EXPECT_THAT(source().decoder(), HasSubstr("self.bridge_cell.forward(finals[1])"));
}

TEST_F(RnnScriptSourceTest, OnlyWhatIsFedNeedsALoop) {
  EXPECT_THAT(source().decoder(), HasSubstr("for i in range(y.size(1))"));
  options.input_feeding = false;
  EXPECT_THAT(source().decoder(), Not(HasSubstr("for i")));
  options.attention = Scoring::kNone;
  EXPECT_THAT(source().decoder(), Not(HasSubstr("attention")));
}

TEST_F(RnnScriptSourceTest, TheAttentionalVectorOfLuongIsSquashed) {
  EXPECT_THAT(source().decoder(), HasSubstr("return mixed\n"));
  options.attention = Scoring::kBilinear;
  EXPECT_THAT(source().decoder(), HasSubstr("return torch.tanh(mixed)\n"));
}

TEST_F(RnnScriptSourceTest, DotNeedsNoParameters) {
  options.attention = Scoring::kDot;
  EXPECT_THAT(source().attention(), Not(HasSubstr("_layer")));
  EXPECT_THAT(source().attention(), HasSubstr("states[:, :, :512] + states[:, :, 512:]"));
}

}  // namespace
}  // namespace ventris::scripting

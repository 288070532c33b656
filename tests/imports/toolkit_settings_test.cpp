#include "imports/toolkit_settings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using architecture::Activation;

const ConfigFile kConfig(nlohmann::json{{"act", "gelu"}, {"heads", 3}, {"rate", {0.25, 0.5}}, {"one", 0.5}, {"bad", 2}},
                         "config");

TEST(ToolkitSettings, ActivationsHaveTheNamesOfAToolkit) {
  const ActivationNames names{{"relu", Activation::kRelu}, {"gelu", Activation::kGeluTanh}};
  EXPECT_EQ(activation_named(kConfig, "act", "relu", names), Activation::kGeluTanh);
  EXPECT_EQ(activation_named(kConfig, "other", "relu", names), Activation::kRelu);
  EXPECT_FAILS(activation_named(kConfig, "act", "relu", {{"relu", Activation::kRelu}, {"silu", Activation::kSilu}}),
               ModelError, "config: act: expected one of relu, silu, found \"gelu\"");
}

TEST(ToolkitSettings, OtherValuesAreRefusedWithAReason) {
  EXPECT_NO_THROW(expect_text(kConfig, "act", "gelu", "why"));
  EXPECT_NO_THROW(expect_text(kConfig, "none", "gelu", "why"));
  EXPECT_FAILS(expect_text(kConfig, "act", "relu", "why"), ModelError, "act: expected 'relu' (why), found \"gelu\"");
  EXPECT_NO_THROW(expect_number(kConfig, "heads", 3, "why"));
  EXPECT_FAILS(expect_number(kConfig, "heads", 0, "why"), ModelError, "heads: expected 0 (why), found 3");
}

TEST(ToolkitSettings, HeadsDivideTheWidth) {
  architecture::TransformerOptions options;
  options.d_model = 16;
  options.heads = 3;
  EXPECT_FAILS(check_heads(kConfig, "heads", options), ModelError, "heads: expected a number of heads of which");
  options.heads = 4;
  EXPECT_NO_THROW(check_heads(kConfig, "heads", options));
  options.d_model = 15;
  options.heads = 5;
  EXPECT_FAILS(check_heads(kConfig, "heads", options), ModelError, "15, is an even multiple");
}

TEST(ToolkitSettings, DropoutMayBeAList) {
  EXPECT_EQ(dropout_of(kConfig, "rate", 0.1), 0.25);
  EXPECT_EQ(dropout_of(kConfig, "one", 0.1), 0.5);
  EXPECT_EQ(dropout_of(kConfig, "bad", 0.1), 0.1);
  EXPECT_EQ(dropout_of(kConfig, "act", 0.1), 0.1);
  EXPECT_EQ(dropout_of(kConfig, "none", 0.1), 0.1);
}

}  // namespace
}  // namespace ventris::imports

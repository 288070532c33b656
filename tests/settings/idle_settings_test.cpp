#include "settings/idle_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::settings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(IdleSettings, AreNoneOfTheDefaults) { EXPECT_THAT(idle_settings(RunConfig()), IsEmpty()); }

TEST(IdleSettings, OfASectionNeedTheOneThatTurnsItOn) {
  RunConfig config;
  config.data.context.sides = data::ContextSides::kBoth;
  config.training.guided_alignment.layer = 2;
  config.training.guided_alignment.head = 3;
  config.training.scheduled_sampling.start_update = 100;
  EXPECT_THAT(idle_settings(config),
              ElementsAre("data.context.sides: has no effect without data.context.sentences; set that, or leave it out",
                          "training.guided_alignment.layer, training.guided_alignment.head: have no effect without "
                          "training.guided_alignment.links; set that, or leave them out",
                          HasSubstr("training.scheduled_sampling.share")));
  config.data.context.sentences = 1;
  config.training.guided_alignment.links = kLearntLinks;
  config.training.scheduled_sampling.share = 0.5;
  EXPECT_THAT(idle_settings(config), IsEmpty());
}

TEST(IdleSettings, PatienceNeedsAValidationCorpus) {
  RunConfig config;
  config.validation.patience = 3;
  EXPECT_THAT(idle_settings(config), ElementsAre(HasSubstr("validation.patience: has no effect")));
  config.data.valid = {"valid.en", "valid.de"};
  EXPECT_THAT(idle_settings(config), IsEmpty());
}

}  // namespace
}  // namespace ventris::settings

#include "serving/translation_service.h"

#include <gmock/gmock.h>

#include <future>

#include "core/error.h"
#include "serving/refused_memory.h"
#include "support/copying_models.h"
#include "support/errors.h"
#include "support/tiny_text.h"

namespace ventris::serving {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TranslationServiceTest : public CopyingModels {
 protected:
  std::shared_ptr<const Catalogue> catalogue_of(const std::vector<std::string>& pairs) {
    return std::make_shared<const Catalogue>(settings_of(pairs, {{"pivots", true}, {"threads", 3}}));
  }

  const ServeLimits limits = {};
};

TEST_F(TranslationServiceTest, TextsComeBackInTheirOrderWithWhatIsBetweenSentences) {
  const auto catalogue = catalogue_of({"en-de"});
  TranslationService service(2, limits);
  const std::vector<std::string> texts{"The driver likes bread.  My sister sees the bridge.\nNobody carries bread.", "",
                                       "A small child sees Zürich."};
  const WorkResult result = result_of(service, work_of(catalogue->route("en", "de"), texts));
  EXPECT_EQ(texts_of(result), texts);
  EXPECT_EQ(result.sentences, 5);  // the blank text is one that the model is not asked for
  EXPECT_EQ(service.in_work(), 0U);
  EXPECT_EQ(service.characters(), 0);
}

TEST_F(TranslationServiceTest, ManyRequestsAtOnceGetTheirOwnTranslations) {
  const auto catalogue = catalogue_of({"en-de", "de-en"});
  TranslationService service(3, limits);
  const std::vector<std::string> lines = test::tiny_text();
  std::vector<std::promise<WorkResult>> promises(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    Work work = work_of(catalogue->route(i % 2 == 0 ? "en" : "de", i % 2 == 0 ? "de" : "en"), {lines[i]});
    work.kind.search.scores = i % 3 == 0;  // another lane
    service.start(std::move(work), [&, i](WorkResult result) { promises[i].set_value(std::move(result)); });
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_THAT(texts_of(promises[i].get_future().get()), ElementsAre(lines[i]));
  }
}

TEST_F(TranslationServiceTest, APivotTranslatesTwice) {
  const auto catalogue = catalogue_of({"en-de", "de-fr"});
  TranslationService service(1, limits);
  const WorkResult result = result_of(service, work_of(catalogue->route("en", "fr"), {"The driver likes bread."}));
  EXPECT_THAT(texts_of(result), ElementsAre("The driver likes bread."));
  EXPECT_EQ(result.sentences, 2);
}

TEST_F(TranslationServiceTest, CandidatesOfATextDiffer) {
  const auto catalogue = catalogue_of({"en-de"});
  TranslationService service(1, limits);
  Work work = work_of(catalogue->route("en", "de"), {"The driver likes bread. My sister sees bread."});
  work.kind.search.many = true;
  work.candidates = 2;
  const WorkResult result = result_of(service, std::move(work));
  ASSERT_EQ(result.answers.at(0).size(), 2U);
  EXPECT_EQ(result.answers[0][0].translation.text(), "The driver likes bread. My sister sees bread.");
  EXPECT_NE(result.answers[0][1].translation.text(), result.answers[0][0].translation.text());
}

TEST_F(TranslationServiceTest, WhatIsTooLateIsGivenUp) {
  const auto catalogue = catalogue_of({"en-de"});
  TranslationService service(0, limits);  // nobody translates
  std::promise<WorkResult> promise;
  Work work = work_of(catalogue->route("en", "de"), {"bread", "umbrella"});
  const double deadline = work.deadline;
  service.start(std::move(work), [&](WorkResult result) { promise.set_value(std::move(result)); });
  service.expire(deadline - 1);
  EXPECT_EQ(service.in_work(), 1U);
  EXPECT_EQ(service.waiting(), 2U);
  service.expire(deadline + 1);
  EXPECT_EQ(service.waiting(), 0U);
  const WorkResult result = promise.get_future().get();
  EXPECT_EQ(result.error->status, 503);
  EXPECT_THAT(result.error->what(), HasSubstr("The translation was not ready in time"));
  EXPECT_EQ(service.counts().expired, 1);
  EXPECT_EQ(service.characters(), 0);
}

TEST_F(TranslationServiceTest, AClientThatHasGoneTakesItsSentencesOutOfTheQueue) {
  const auto catalogue = catalogue_of({"en-de"});
  TranslationService service(0, limits);
  int status = 0, calls = 0;
  const uint64_t number =
      service.start(work_of(catalogue->route("en", "de"), {"bread", "umbrella"}), [&](const WorkResult& result) {
        status = result.error->status;
        ++calls;
      });
  service.abandon(number);
  service.abandon(number);
  EXPECT_EQ(status, 499);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(service.waiting(), 0U);
  EXPECT_EQ(service.counts().abandoned, 1);
}

TEST_F(TranslationServiceTest, WorkThatIsLeftAtTheEndIsAnsweredWithAnError) {
  const auto catalogue = catalogue_of({"en-de"});
  int status = 0;
  {
    TranslationService service(0, limits);
    service.start(work_of(catalogue->route("en", "de"), {"bread"}),
                  [&](const WorkResult& result) { status = result.error->status; });
  }
  EXPECT_EQ(status, 503);
}

TEST_F(TranslationServiceTest, WorkForWhichThereIsNoMemoryIsRefusedAndLeavesNothing) {
  const auto catalogue = catalogue_of({"en-de", "de-fr"});
  TranslationService service(0, limits);
  // Blank texts, because libsentencepiece does not survive a refusal.
  for (const std::vector<std::string>& texts : {std::vector<std::string>{"", " ", "\n"}, {}}) {
    int refusals = 0, results = 0;
    Work work;
    const auto start = [&] {
      try {
        service.start(std::move(work), [&](const WorkResult&) { ++results; });
      } catch (const RequestError& error) {
        refusals += error.status == 503 ? 1 : 0;
      } catch (const std::bad_alloc&) {
        ++refusals;
      }
    };
    const auto prepare = [&] {
      work = work_of(catalogue->route("en", "fr"), texts);
      refusals = results = 0;
    };
    prepare();
    start();  // makes the lane
    service.expire(work.deadline + 100);
    prepare();
    test::with_refused_memory({}, start, [&](int64_t given) {
      service.expire(work.deadline + 100);
      EXPECT_EQ(refusals + results, 1) << given;
      EXPECT_EQ(service.in_work(), 0U) << given;
      EXPECT_EQ(service.waiting(), 0U) << given;
      EXPECT_EQ(service.characters(), 0) << given;
      prepare();
    });
  }
}

TEST_F(TranslationServiceTest, AModelStaysUntilItsLastRequestIsAnswered) {
  auto catalogue = catalogue_of({"en-de"});
  TranslationService service(1, limits);
  Work work = work_of(catalogue->route("en", "de"), {"The driver likes bread."});
  const std::weak_ptr<ServedModel> model = work.steps.front().model;
  catalogue.reset();
  EXPECT_FALSE(model.expired());
  EXPECT_THAT(texts_of(result_of(service, std::move(work))), ElementsAre("The driver likes bread."));
}

TEST_F(TranslationServiceTest, AnErrorInATextIsToldAndNothingElseIsLost) {
  const auto catalogue = catalogue_of({"en-de"});
  TranslationService service(1, limits);
  Work broken = work_of(catalogue->route("en", "de"), {"<a>bread"});
  broken.kind.markup = markup::Markup::kXml;
  broken.kind.search.links = true;
  try {
    service.start(std::move(broken), [](const WorkResult&) {});
    FAIL();
  } catch (const RequestError& error) {
    EXPECT_EQ(error.status, 400);
    EXPECT_THAT(error.what(), HasSubstr("Invalid request: line 1"));
  }
  EXPECT_EQ(service.characters(), 0);
  Work greedy = work_of(catalogue->route("en", "de"), {"bread"});
  greedy.kind.split = false;
  greedy.phrases.required = {"umbrella"};
  EXPECT_THAT(texts_of(result_of(service, std::move(greedy))), ElementsAre(HasSubstr("umbrella")));
}

TEST_F(TranslationServiceTest, AShortTextOfAnotherKindDoesNotWaitForLongOnes) {
  unsetenv("VENTRIS_BACKEND");  // the engine, which takes sentences between steps
  const auto catalogue = catalogue_of({"en-de"});
  TranslationService service(1, limits);
  std::string long_text;
  while (long_text.size() <= SentenceQueue::kLongBytes) long_text += "The driver likes bread and ";
  Work slow = work_of(catalogue->route("en", "de"), std::vector<std::string>(200, long_text));
  slow.kind.split = false;
  slow.kind.search.links = true;  // another lane
  std::mutex mutex;
  std::vector<std::string> order;
  std::promise<void> both;
  const auto note = [&](const std::string& name) {
    const std::lock_guard lock(mutex);
    order.push_back(name);
    if (order.size() == 2) both.set_value();
  };
  Work first = work_of(catalogue->route("en", "de"), {"bread"});
  first.kind.search.links = true;
  service.start(std::move(first), [&](const WorkResult&) {  // the thread is here until both wait for it
    service.start(std::move(slow), [&](const WorkResult&) { note("slow"); });
    service.start(work_of(catalogue->route("en", "de"), {"bread"}), [&](const WorkResult&) { note("short"); });
  });
  both.get_future().wait();
  EXPECT_THAT(order, ElementsAre("short", "slow"));
}

TEST(ErrorOf, SaysWhoseFaultItIs) {
  const auto of = [](const auto& error) { return error_of(std::make_exception_ptr(error)); };
  EXPECT_EQ(of(DataError("text")).status, 400);
  EXPECT_EQ(of(ConfigError("text")).status, 400);
  EXPECT_EQ(of(std::bad_alloc()).status, 503);
  EXPECT_EQ(of(std::logic_error("secret")).status, 500);
  EXPECT_THAT(of(std::logic_error("secret")).what(), testing::Not(HasSubstr("secret")));
  EXPECT_EQ(of(RequestError(413, "long")).status, 413);
}

}  // namespace
}  // namespace ventris::serving

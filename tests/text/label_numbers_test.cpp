#include "text/label_numbers.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::text {
namespace {

TEST(LabelNumbers, ANumberIsThePlaceInTheList) {
  const LabelNumbers numbers({"talk", "news"});
  EXPECT_EQ(numbers.number_of("talk", "gold.tsv", 1), 0);
  EXPECT_EQ(numbers.number_of("news", "gold.tsv", 1), 1);
}

TEST(LabelNumbers, AnUnknownLabelIsNamedWithTheKnownOnesInTheirOrder) {
  const LabelNumbers numbers({"talk", "news"});
  EXPECT_FAILS(numbers.number_of("new", "gold.tsv", 7), DataError,
               "gold.tsv:7: the label 'new' is not a label of the model, which has talk, news; the label is the text "
               "before the TAB");
}

TEST(ListLabels, ManyLabelsAreNotAllListed) {
  EXPECT_EQ(list_labels({"a", "b"}), "a, b");
  EXPECT_EQ(list_labels({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}),
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");
}

}  // namespace
}  // namespace ventris::text

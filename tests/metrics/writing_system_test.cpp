#include "metrics/writing_system.h"

#include <gtest/gtest.h>

#include "metrics/bleu.h"

namespace ventris::metrics {
namespace {

struct Example {
  const char* line;
  Tokenization suitable;
  const char* script;
};

const std::vector<Example> kExamples{{"两只狗在草地上玩。", Tokenization::kZh, "Chinese"},
                                     {"兩隻狗在草地上玩耍。", Tokenization::kZh, "Chinese"},
                                     {"二匹の犬が草の上で遊んでいる。", Tokenization::kChar, "Japanese"},
                                     {"ラーメンヲタベル", Tokenization::kChar, "Japanese"},
                                     {"개 두 마리가 잔디에서 놀고 있다.", Tokenization::kChar, "Korean"},
                                     {"สุนัขสองตัวเล่นอยู่บนพื้นหญ้า", Tokenization::kChar, "Thai"},
                                     {"ໝາສອງໂຕຫຼິ້ນຢູ່ເທິງຫຍ້າ", Tokenization::kChar, "Lao"},
                                     {"ឆ្កែពីរក្បាលលេងលើស្មៅ", Tokenization::kChar, "Khmer"},
                                     {"ခွေးနှစ်ကောင်မြက်ပေါ်မှာကစားနေတယ်", Tokenization::kChar, "Burmese"},
                                     {"ཁྱི་གཉིས་རྩྭ་ཐང་དུ་རྩེད་པ", Tokenization::kChar, "Tibetan"}};

TEST(Writing, EachScriptThatHasNoWordsFor13aGetsATokenizationThatFindsItsCharacters) {
  for (const auto& [line, suitable, script] : kExamples) {
    const Writing writing = writing_of({line});
    EXPECT_EQ(writing.suitable, suitable) << line;
    EXPECT_EQ(writing.script, script) << line;
  }
}

TEST(Writing, ATranslationWithOneWrongCharacterScoresWithItAndNotWith13a) {
  for (const auto& [line, suitable, script] : kExamples) {
    const std::string reference = line, hypothesis = reference + "两คกกゐ각";
    BleuOptions options;
    options.tokenization = suitable;
    EXPECT_GT(corpus_bleu({hypothesis}, {{reference}}, options).score, 20) << line;
    EXPECT_FALSE(suits(Tokenization::k13a, {suitable, script})) << line;
    EXPECT_TRUE(suits(suitable, {suitable, script})) << line;
  }
}

TEST(Writing, ScriptsWithSpacesBetweenWordsAre13a) {
  for (const char* line : {"Zwei Hunde spielen.", "Две собаки играют.", "كلبان يلعبان على العشب", "שני כלבים משחקים",
                           "दो कुत्ते घास पर खेल रहे हैं।", "Δύο σκύλοι παίζουν", "Hai con chó đang chơi", "", "12, 3!"}) {
    const Writing writing = writing_of({line});
    EXPECT_EQ(writing.suitable, Tokenization::k13a) << line;
    EXPECT_EQ(writing.script, "") << line;
    EXPECT_TRUE(suits(Tokenization::k13a, writing)) << line;
  }
}

TEST(Writing, AFewForeignCharactersDecideNothing) {
  EXPECT_EQ(writing_of({"The word 犬 (dog) is read inu in Japanese."}).script, "");
  EXPECT_EQ(writing_of({"我们使用Transformer模型和BLEU。"}).script, "Chinese");
  EXPECT_EQ(writing_of({"日本の「の」字在中国的广告里很常见,但是其余的文字都是汉字，没有任何日语的假名出现在句子里面。",
                        "这是一个很长的句子。"})
                .script,
            "Chinese");
}

TEST(Writing, WordsThatAreDividedAlreadyNeedNoCharacters) {
  EXPECT_TRUE(suits(Tokenization::kNone, {Tokenization::kChar, "Japanese"}));
  EXPECT_FALSE(suits(Tokenization::kZh, {Tokenization::kChar, "Japanese"}));
  EXPECT_FALSE(suits(Tokenization::kIntl, {Tokenization::kZh, "Chinese"}));
  EXPECT_TRUE(suits(Tokenization::kSpm, {Tokenization::kZh, "Chinese"}));
  EXPECT_TRUE(suits(Tokenization::kChar, {Tokenization::kZh, "Chinese"}));
}

}  // namespace
}  // namespace ventris::metrics

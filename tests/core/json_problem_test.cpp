#include "core/json_problem.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

namespace ventris::core {
namespace {

std::string problem_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const nlohmann::json::exception& error) {
    return json_problem(error);
  }
  return "none";
}

TEST(JsonProblem, HasNoNameOfAClassAndNoPlace) {
  const std::string syntax = problem_of([] {
    const auto parsed = nlohmann::json::parse("{\"a\": }");
    static_cast<void>(parsed);
  });
  EXPECT_TRUE(syntax.starts_with("syntax error while parsing value - unexpected '}'")) << syntax;
  EXPECT_EQ(problem_of([] { static_cast<void>(nlohmann::json::parse("{}").at("a")); }), "key 'a' not found");
  EXPECT_EQ(problem_of([] { static_cast<void>(nlohmann::json(3).get<std::string>()); }),
            "type must be string, but is number");
}

}  // namespace
}  // namespace ventris::core

// Translates the lines of standard input: translate MODEL < LINES
#include <ventris/core/error.h>
#include <ventris/translation/open_model.h>
#include <ventris/translation/translator.h>

#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 2) ventris::fail<ventris::ConfigError>("usage: translate MODEL < LINES");
  const auto model = ventris::translation::open_model(argv[1]);
  auto options = ventris::translation::suggested_options(model.package.config.decoding);
  options.search.beam_size = 4;
  const ventris::translation::Translator translator(model.package, model.scorers, options);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << translator.translate({line}).front().text() << std::endl;
  }
} catch (const ventris::Error& error) {
  std::cerr << "translate: " << error.what() << '\n';
  return 1;
}

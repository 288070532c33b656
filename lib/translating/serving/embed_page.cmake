# Writes the C++ file OUTPUT, in which web_page() returns the content of PAGE.
file(READ ${PAGE} page)
file(WRITE ${OUTPUT} "#include \"serving/web_page.h\"\n\nnamespace ventris::serving {\n\nstd::string web_page() {\n"
  "  return R\"page(${page})page\";\n}\n\n}  // namespace ventris::serving\n")

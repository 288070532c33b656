# Writes the C++ file OUTPUT, whose functions return the contents of the files in FOLDER (embedded_files.h).
file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/openapi.json openapi)
file(WRITE ${OUTPUT} "#include \"serving/embedded_files.h\"\n\nnamespace ventris::serving {\n\n"
  "std::string web_page() {\n  return R\"file(${page})file\";\n}\n\n"
  "std::string openapi() {\n  return R\"file(${openapi})file\";\n}\n\n}  // namespace ventris::serving\n")

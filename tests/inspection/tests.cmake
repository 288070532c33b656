ventris_test(inspection
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/character_counts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/corpus_lines_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/corpus_report_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/corpus_statistics_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/length_counts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/line_hashes_test.cpp
  LINKS ventris_inspection nlohmann_json::nlohmann_json)

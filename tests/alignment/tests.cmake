ventris_test(alignment
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/corpus_links_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/align_files_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/aligner_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/alignment_model_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/cooccurrences_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/estimation_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/hmm_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/likeness_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/links_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/model_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/pair_counts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sentence_pairs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/symmetrization_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/word_table_test.cpp
  LINKS ventris_alignment nlohmann_json::nlohmann_json)

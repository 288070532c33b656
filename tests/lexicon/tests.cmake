ventris_test(lexicon
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/ibm_model1_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/learning_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/lexicon_file_test.cpp
  LINKS ventris_lexicon ventris_decoding)

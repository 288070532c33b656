ventris_test(nat
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/choices_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctc_search_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctc_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/nat_decoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/nat_pair_scorer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/scorer_test.cpp
  LINKS ventris_nat ventris_model)

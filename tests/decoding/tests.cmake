ventris_test(decoding TOGETHER 4
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/pair_scorer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/combination_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/constrained_search_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/decoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ensemble_factory_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/hypotheses_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/memory_needs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/pair_rows_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/repetition_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sampling_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/search_property_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/search_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/select_continuations_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/stream_search_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ensemble_scorer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ensemble_pair_scorer_test.cpp
  LINKS ventris_decoding ventris_model)

ventris_test(metrics
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/bleu_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/chrf_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/evaluation_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ngrams_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/segments_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tokenizers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/unicode_test.cpp
  LINKS ventris_metrics)

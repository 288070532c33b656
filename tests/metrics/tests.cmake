ventris_test(metrics
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/bleu_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/chrf_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/classification_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/edit_distance_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/letter_case_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ngrams_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/numpy_random_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/resampling_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/segments_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/signature_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/shift_edits_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/substitutions_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ter_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tokenization_test.cpp ${CMAKE_CURRENT_LIST_DIR}/validation_metrics_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/unicode_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/word_division_test.cpp ${CMAKE_CURRENT_LIST_DIR}/word_forms_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/writing_system_test.cpp
  LINKS ventris_metrics)

ventris_test(architecture
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/architecture_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/bert_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/bert_classifier_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/rnn_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sinusoids_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/transformer_nat_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/transformer_test.cpp
  LINKS ventris_architecture)

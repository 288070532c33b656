ventris_test(architecture
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/bert_layers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/architecture_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/bert_options_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/bert_encoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/bert_classifier_options_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/reading_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/relative_buckets_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/rnn_options_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/position_table_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sinusoids_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/transformer_nat_options_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/transformer_options_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/transformer_parts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tying_test.cpp
  LINKS ventris_architecture)

ventris_test(layers TOGETHER 4
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/bert_weights_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/decoder_layers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/encoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/distance_keys_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/workspace_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_score_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/decoder_attention_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_linear_attention_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/encoder_attention_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/block_attention_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/attention_weights_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_norm_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tensor_reader_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/weights_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_attention_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/layers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/prefixes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_parts_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_relative_bias_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_rotation_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_ssru_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/routing_test.cpp
  LINKS ventris_layers)

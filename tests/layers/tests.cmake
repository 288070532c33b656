ventris_test(layers
  SOURCES
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
  LINKS ventris_layers)

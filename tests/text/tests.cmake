ventris_test(text
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/byte_source_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/charsmap_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/double_array_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/line_reader_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/line_sequence_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/model_check_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/model_proto_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/piece_encoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/piece_parser_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/segmentation_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tokenizer_fuzz_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tokenizer_learning_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tokenizer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/utf8_test.cpp
  LINKS ventris_text)

if(VENTRIS_LEARNING)
  ventris_test(torchscript TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/beam_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/libraries_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/python_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/rnn_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/torchscript_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/transformer_nat_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/verify_export_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/verify_test.cpp
    LINKS ventris_torchscript)
  target_compile_definitions(test_torchscript PRIVATE VENTRIS_PYTHON="${python_of_torch}")
endif()

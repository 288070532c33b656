ventris_test(exports
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/pytorch_names_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/bergamot_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/marian_parameters_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/annotated_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctranslate2_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctranslate2_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/pytorch_code_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/pytorch_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/huggingface_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/shortlist_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/marian_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/npz_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/seq2seq_folder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/torchscript_weights_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/stored_zip_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/transformer_settings_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/../engine/counted_memory.cpp
  LINKS ventris_exports)
# CTranslate2 itself, where it is installed.
if(python_with_packages AND VENTRIS_LEARNING)
  add_test(NAME exports_ctranslate2
    COMMAND ${python_with_packages} ${CMAKE_CURRENT_LIST_DIR}/ctranslate2_test.py ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  set_tests_properties(exports_ctranslate2 PROPERTIES LABELS e2e TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
endif()

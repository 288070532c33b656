ventris_test(preparation
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/environment_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/fewer_layers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/finetuning_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_labels_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/modified_text_test.cpp ${CMAKE_CURRENT_LIST_DIR}/opened_run_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/standard_input_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/starting_encoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/taken_folder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/text_fit_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_tokenizers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/training_data_test.cpp ${CMAKE_CURRENT_LIST_DIR}/training_links_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/word_vectors_test.cpp
  LINKS ventris_preparation)

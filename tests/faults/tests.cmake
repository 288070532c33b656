ventris_test(faults WHOLE
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/corruption_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/faults.cpp
    ${CMAKE_CURRENT_LIST_DIR}/output_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/power_cut.cpp
    ${CMAKE_CURRENT_LIST_DIR}/save_test.cpp
  LINKS ventris_run)

# Some of the calls of whole programs fail; by hand, all of them: every_call.py without --sample.
if(Python3_Interpreter_FOUND AND NOT VENTRIS_SANITIZE AND NOT VENTRIS_SANITIZE_THREADS)
  add_test(NAME faults_programs COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/every_call.py --sample 2
    --programs ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} --shim $<TARGET_FILE:faulty_system> translate)
  set_tests_properties(faults_programs PROPERTIES LABELS e2e TIMEOUT 300)
  add_dependencies(test_faults faulty_system ventris-translate ventris-import)
endif()

# Writes what PROGRAM says of itself into FILES: completion for bash, zsh and fish, and its manual page.
set(kinds completion-bash completion-zsh completion-fish man)
set(ENV{ASAN_OPTIONS} detect_leaks=0)  # of a sanitized build: it runs where a debugger may watch
foreach(kind file IN ZIP_LISTS kinds FILES)
  execute_process(COMMAND ${PROGRAM} --generate ${kind} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${file} "${text}")
endforeach()

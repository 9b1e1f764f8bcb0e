# Writes the linker's list of exported names from what the shared library exports, less what the linker
# made itself.
execute_process(COMMAND ${NM} -D --defined-only --format=just-symbols ${LIBRARY}
                OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "__(start|stop)_[a-z_]+\n" "" names "${names}")
string(REPLACE "\n" ";\n" names "${names}")
file(WRITE ${OUTPUT} "{\n${names}};\n")

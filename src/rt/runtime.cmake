# add_runtime(NAME DIRECTORY FLAG...): builds the runtime into DIRECTORY: libdeadheat.a, linked into
# executables; libdeadheat.so for plugins in a plain host; libdeadheat.syms, the names that an executable
# must show to its shared libraries. The target is NAME.
set(RT_DIR ${CMAKE_CURRENT_LIST_DIR})

# It runs inside the checks of somebody else's program: nothing is exported by accident, frame pointers are
# kept for stack walks, and no call to libc appears that the source does not show.
set(RT_FLAGS -O2 -g -fvisibility=hidden -fno-stack-protector -fno-omit-frame-pointer -mcx16
    -ftls-model=initial-exec -fno-builtin -D_GNU_SOURCE -DDH_SYMBOLIZER="${LLVM_BINDIR}/llvm-symbolizer"
    -DDH_COMMAND_INSTALLED="${CMAKE_INSTALL_FULL_BINDIR}/deadheat"
    -DDH_COMMAND_BUILT="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/deadheat")

# The compiler may turn an assignment into a call of memcpy. In the runtime that must be the runtime's own,
# not the interceptor that mem.c defines under that name.
set(RT_OWN_MEM --redefine-sym memcpy=dh_copy --redefine-sym memset=dh_fill
    --redefine-sym memmove=dh_move --redefine-sym memcmp=dh_compare)

function(add_runtime name directory)
  set(flags ${RT_FLAGS} ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${RT_DIR}/*.c ${RT_DIR}/intercept/*.c ${RT_DIR}/../core/*.c
       ${RT_DIR}/../report/*.c ${RT_DIR}/../trace/encode.c)
  list(FILTER sources EXCLUDE REGEX "/(init|intercept/mem)\\.c$")

  macro(objects part)
    add_library(${name}_${part} OBJECT ${ARGN})
    set_target_properties(${name}_${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${name}_${part} PRIVATE ${flags})
  endmacro()

  # What most accesses and locks go through is compiled once more for executables, which know where their
  # thread-local variables are.
  set(hot access across called contexts epochs gathers history parts quick_blocks splits intercept/mutex)
  list(TRANSFORM hot PREPEND ${RT_DIR}/)
  list(TRANSFORM hot APPEND .c)
  list(REMOVE_ITEM sources ${hot})
  objects(hot ${hot})
  objects(hot_shared ${hot})
  target_compile_definitions(${name}_hot PRIVATE DH_TLS_MODEL="local-exec")
  # Checks that have no frame of their own, unless they ask for it: what they jump to does.
  set_source_files_properties(${RT_DIR}/called.c ${RT_DIR}/across.c PROPERTIES COMPILE_OPTIONS -fomit-frame-pointer)
  objects(most ${sources})
  objects(mem ${RT_DIR}/intercept/mem.c)
  objects(init ${RT_DIR}/init.c)
  objects(init_shared ${RT_DIR}/init.c)
  target_compile_definitions(${name}_init_shared PRIVATE DH_SHARED)
  set(mem $<TARGET_OBJECTS:${name}_mem>)

  foreach(kind "" _shared)
    set(part ${CMAKE_CURRENT_BINARY_DIR}/${name}_init${kind}.o)
    set(from $<TARGET_OBJECTS:${name}_most> $<TARGET_OBJECTS:${name}_hot${kind}>
        $<TARGET_OBJECTS:${name}_init${kind}>)
    add_custom_command(
      OUTPUT ${part}
      COMMAND ${CMAKE_LINKER} -r -o ${part} ${from}
      COMMAND ${LLVM_BINDIR}/llvm-objcopy ${RT_OWN_MEM} ${part}
      DEPENDS ${from} COMMAND_EXPAND_LISTS VERBATIM)
  endforeach()

  set(static ${CMAKE_CURRENT_BINARY_DIR}/${name}_init.o)
  set(shared ${CMAKE_CURRENT_BINARY_DIR}/${name}_init_shared.o)
  set(library ${directory}/libdeadheat)
  file(MAKE_DIRECTORY ${directory})
  add_custom_command(
    OUTPUT ${library}.a
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library}.a
    COMMAND ${LLVM_BINDIR}/llvm-ar rcs ${library}.a ${static} ${mem}
    DEPENDS ${static} ${mem} COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_command(
    OUTPUT ${library}.so
    COMMAND ${CMAKE_C_COMPILER} -shared -o ${library}.so ${shared} ${mem}
            -Wl,-soname,libdeadheat.so -Wl,-z,initfirst -Wl,-z,nodelete -Wl,-Bsymbolic-functions -ldl -lpthread
    DEPENDS ${shared} ${mem} COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_command(
    OUTPUT ${library}.syms
    COMMAND ${CMAKE_COMMAND} -DNM=${LLVM_BINDIR}/llvm-nm -DLIBRARY=${library}.so
            -DOUTPUT=${library}.syms -P ${RT_DIR}/syms.cmake
    DEPENDS ${library}.so ${RT_DIR}/syms.cmake VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${library}.a ${library}.so ${library}.syms)
endfunction()

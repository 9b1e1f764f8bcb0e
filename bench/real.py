PROGRAMS = []
def placement(builder, program, usable): return {}

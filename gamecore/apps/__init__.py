"""Applications on the engine's public names: explore, play, solve_file, judge, prove, kit, adapters."""

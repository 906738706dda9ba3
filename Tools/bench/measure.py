"""Runs one program and prints what it took: wall seconds, CPU seconds, peak bytes and exit status.

Usage: python -I -S measure.py OUTPUT ERRORS PROGRAM [ARGUMENT...]

What the program prints goes to the files OUTPUT and ERRORS. This is a process of its own, and a small one,
because the kernel starts to count a program's peak memory from that of the process which started it.
"""
import os
import sys
import time


def main() -> None:
    output, errors, *command = sys.argv[1:]
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [(os.POSIX_SPAWN_OPEN, 1, output, flags, 0o644),
             (os.POSIX_SPAWN_OPEN, 2, errors, flags, 0o644)]
    start = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024
    print(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit,
          os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()

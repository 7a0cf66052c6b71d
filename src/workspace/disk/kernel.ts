/** Numbers of the kernel's that are the same on every processor. */

/** Holds what is opened, without permission to read it. Node does not name it. */
export const O_PATH = 0o10000000;

/** `struct linux_dirent64`: where a record has its length, its type and its name; and the type of a directory. */
export const DIRENT = { lengthAt: 16, typeAt: 18, nameAt: 19, directory: 4 } as const;

/**
 * Flags of `statx`: ask about the descriptor itself, follow no link, tell all that `stat` tells. The bytes that it fills, and
 * the words where the seconds of the last change stand, and of the last modification.
 */
export const STATX = {
  emptyPath: 0x1000,
  noFollow: 0x100,
  basicStats: 0x7ff,
  size: 256,
  changed: 24,
  modified: 28,
} as const;

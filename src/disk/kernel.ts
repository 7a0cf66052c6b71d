/** Constants of the kernel that are the same on every processor. */

/** Opens a file or directory without permission to read it. Node has no constant for it. */
export const O_PATH = 0o10000000;

/** `struct linux_dirent64`: the offsets of a record's length, type and name; and the type of a directory. */
export const DIRENT = { lengthAt: 16, typeAt: 18, nameAt: 19, directory: 4 } as const;

/**
 * Flags of `statx`: query the descriptor itself, follow no link, return all that `stat` does. Then the size of its
 * result in bytes, and the positions, in words, of the seconds of the last change and of the last modification.
 */
export const STATX = {
  emptyPath: 0x1000,
  noFollow: 0x100,
  basicStats: 0x7ff,
  size: 256,
  changed: 24,
  modified: 28,
} as const;

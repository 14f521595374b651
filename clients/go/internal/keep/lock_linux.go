package keep

// setOpenFileLock is F_OFD_SETLK: the lock is the open file's and not the process's.
const setOpenFileLock = 37

//go:build !linux

package keep

import "syscall"

// setOpenFileLock is a lock of the process: open files have none of their own everywhere.
const setOpenFileLock = syscall.F_SETLK

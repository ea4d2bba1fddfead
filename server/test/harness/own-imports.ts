/** Once per worker. Without it Vitest also tells its main process of every import, for watching. */
import { findOwnModules } from '#kernel/process/own-modules.ts'

findOwnModules()

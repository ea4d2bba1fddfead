/** Once per worker. Vitest then has nothing to tell its main process either, which it does of every import, for watching. */
import { registerOwnModules } from '#kernel/process/own-modules.ts'

registerOwnModules()

import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/chancery/compile', import.meta.url))

/** Shares the code that this process has compiled with its workers and the processes that tests start. */
export const shareCompileCache = (): void => {
  enableCompileCache(folder)
  process.env.NODE_COMPILE_CACHE = folder
}

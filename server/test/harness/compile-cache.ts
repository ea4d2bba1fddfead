import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/chancery/compile', import.meta.url))

/** What this process has compiled is there for its workers and for the processes that tests start. */
export const shareCompileCache = (): void => {
  enableCompileCache(folder)
  process.env.NODE_COMPILE_CACHE = folder
}

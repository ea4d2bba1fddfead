/**
 * What each process of Chancery does before it loads anything else: what it loads is then found compiled, and nothing has
 * made a tick before.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { keepTickShape } from './keep-tick-shape.ts'

export const prepareProcess = (): void => {
  enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/chancery/compile', import.meta.url)))
  keepTickShape()
}

/**
 * Pure. The runtimes' other way to take a model out of memory: a request for nothing that is to be kept for no time. It
 * costs everybody else the time to load the model again, so it is upkeep like the rest of it.
 */
import type { Fields } from './dress-request.ts'

const isNoTime = (keepAlive: unknown): boolean =>
  keepAlive === 0 || (typeof keepAlive === 'string' && /^\s*[+-]?0+(\.0*)?(ns|us|µs|ms|s|m|h)?\s*$/.test(keepAlive))

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

export const isUnload = ({ keep_alive, prompt, messages, input }: Fields): boolean =>
  isNoTime(keep_alive) && isBlank(prompt) && isBlank(messages) && isBlank(input)

/**
 * `process.nextTick` makes an object with computed keys for every call, and every request makes several calls. V8 learns
 * the shape of that object once. A full collection that finds none of them alive forgets the shape; the next one counts
 * as a second shape, and from then on every tick is made the slow way, for as long as the process lives: some 15 µs of
 * each request (docs/decisions/0012). One that stays alive keeps the shape known.
 */
import { createHook } from 'node:async_hooks'

let example: object | undefined

/** Before anything else has made one. Answers the one that is kept. */
export const keepTickShape = (): object | undefined => {
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') example = resource
    },
  })
  hook.enable()
  process.nextTick(() => undefined)
  hook.disable()
  return example
}

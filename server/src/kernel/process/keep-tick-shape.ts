/**
 * `process.nextTick` makes an object with computed keys for every call, and every request makes several calls. V8
 * optimizes for the shape of that object. A full collection that finds none of them alive drops the shape; the next
 * object then counts as a second shape, and every tick takes the slow path for the rest of the process: about 15 µs of
 * each request (docs/decisions/0012). Keeping one object alive keeps the shape.
 */
import { createHook } from 'node:async_hooks'

let example: object | undefined

/** Call it before anything else makes a tick. Returns the object that is kept alive. */
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

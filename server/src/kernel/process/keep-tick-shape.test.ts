import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const module = fileURLToPath(new URL('./keep-tick-shape.ts', import.meta.url))

/** Asks V8 whether a new tick has the same shape as one from before several full collections. */
const program = `
  import { createHook } from 'node:async_hooks'
  import { keepTickShape } from ${JSON.stringify(module)}
  const example = new WeakRef(keepTickShape())
  await new Promise((resolve) => setTimeout(resolve, 10))
  for (let round = 0; round < 4; round += 1) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  let later
  const hook = createHook({ init: (_id, type, _trigger, resource) => type === 'TickObject' && (later = resource) })
  hook.enable()
  process.nextTick(() => undefined)
  hook.disable()
  console.log(example.deref() !== later, %HaveSameMap(example.deref(), later))
`

it('a tick has the same shape after full collections', () => {
  const flags = ['--expose-gc', '--allow-natives-syntax', '--input-type=module', '--eval', program]
  expect(execFileSync(process.execPath, flags, { encoding: 'utf8' }).trim()).toBe('true true')
})

import { expect, it } from 'vitest'
import { systemIds } from '#kernel/ids.ts'
import type { PluginRuntime } from '../runtime/index.ts'
import { createRunCode } from './run-code.ts'

/** Says what it was sent. */
const sent: unknown[] = []
const runtime = {
  call: async (_code: unknown, { args }: { args: unknown[] }) => {
    sent.push(args[0])
    return { kind: 'value', value: { value: 'done' } }
  },
} as unknown as PluginRuntime
const runCode = createRunCode({ runtime, ids: systemIds })
const run = (input: unknown) =>
  runCode({
    tenantId: 't',
    ownerId: 'o',
    code: 'return 1',
    args: { input },
    wallMs: 1000,
    signal: new AbortController().signal,
    onLog: () => undefined,
  })

it('code that would get more data than 8 MB is refused before the data is written anywhere', async () => {
  const half = 'x'.repeat(4 * 1024 * 1024)
  expect(await run([half, { of: [half] }])).toMatchObject({ kind: 'problem', reason: 'limit' })
  expect(sent).toEqual([])
  expect(await run(half)).toEqual({ kind: 'value', value: 'done' })
})

it('code gets integers of any size, and names that every object has', async () => {
  await run(JSON.parse('{"__proto__": {"a": [null, true]}, "n": 1}', (key, value) => (key === 'n' ? 2n ** 64n : value)))
  expect(JSON.stringify(sent.at(-1))).toBe('[{"__proto__":{"a":[null,true]},"n":"18446744073709551616"}]')
})

/** Schemas and answers that take any time to check end for themselves, and hold up nobody else's. */
import { describe, expect, it } from 'vitest'
import { shareComputing } from '#test/harness/computing.ts'
import { readStructured } from './structured-output.ts'

const { compute } = shareComputing()
const callOf = (scopeId: string) => ({ run: { scopeId }, signal: new AbortController().signal }) as never

const nested = (depth: number): object =>
  depth === 0
    ? { type: 'string' }
    : { anyOf: Array.from({ length: 5 }, (_, n) => ({ ...nested(depth - 1), title: n })) }
const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`p${n}`, { type: 'string', minLength: n }]))

const read = (scopeId: string, text: string, schema: object) =>
  readStructured(compute, callOf(scopeId), { text, schema: schema as Record<string, unknown> })

describe('an answer with an output schema', () => {
  it('is found in a fence or in words, and keeps its exact numbers', async () => {
    const schema = { type: 'object', required: ['n'] }
    expect(await read('ana', 'Here:\n```json\n{"n": 12345678901234567890}\n```', schema)).toMatchObject({
      value: { n: 12345678901234567890n },
    })
    expect(await read('ana', 'so {"n": 1} it is', schema)).toEqual({ value: { n: 1 } })
    expect(await read('ana', '{}', schema)).toMatchObject({ problem: expect.stringContaining('n') })
    expect(await read('ana', '```'.padEnd(1_000_000), schema)).toEqual({ problem: "it isn't JSON." })
    await expect(read('ana', '{}', { type: 'objekt' })).rejects.toThrow('The output schema')
  })

  it.each([
    ['anyOf nested nine deep', '{}', nested(7)],
    ['60,000 properties', '{}', { type: 'object', properties: wide }],
    ['a pattern that backtracks', `"${'a'.repeat(60)}b"`, { type: 'string', pattern: '^(a|aa)+$' }],
    ['a branching reference', '"a"', { $defs: branching(40), $ref: '#/$defs/d40' }],
  ])('never holds up another scope: %s', async (_, text, schema) => {
    const order: string[] = []
    const attacks = Array.from({ length: 3 }, () =>
      read('attacker', text, schema).then(
        () => order.push('attacker'),
        () => order.push('attacker'),
      ),
    )
    await read('ana', '[1]', { type: 'array' }).then(() => order.push('ana'))
    expect(order).not.toHaveLength(4)
    expect(order).toContain('ana')
    await Promise.all(attacks)
  })
})

/** Each definition asks the one before twice. */
function branching(depth: number): object {
  const all: Record<string, object> = { d0: { type: 'number' } }
  for (let n = 1; n <= depth; n += 1)
    all[`d${n}`] = { anyOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] }
  return all
}

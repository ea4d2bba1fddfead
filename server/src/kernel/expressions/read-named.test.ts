/** Looking up a value without a thread: the same as the evaluator yields, or nothing. */

import { compileExpression, type Name, toJson } from '@chancery/expression'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExpressions } from './expressions.ts'
import { readNamed } from './read-named.ts'

const names: readonly Name[] = [
  'input',
  'event',
  { name: 'payload', of: 'event', field: 'payload' },
  { name: '_event', of: 'event', isOld: true },
]
const values = [
  { 'a"b': 1, list: [{ id: 7n ** 30n }, null, false] },
  { payload: { order: { id: 'x' } }, none: null },
]
const read = (text: string) => readNamed({ names, values, texts: [text] })?.[0]

describe('values that are only named', () => {
  it.each([
    ['input["list"][0]["id"]', 7n ** 30n],
    ['input["list"][1]', null],
    ["input['list'][2]", false],
    [`input['a"b']`, 1],
    ['payload["order"]', { id: 'x' }],
    ['event["payload"]["order"]["id"]', 'x'],
    ['event["none"]', null],
  ])('are looked up: %s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    'input["lost"]',
    'input["list"][3]',
    'input["list"][-1]',
    'input["list"]["length"]',
    'input["constructor"]',
    'input["__proto__"]',
    'payload["order"]["id"][0]',
    'event["none"]["x"]',
    '_event',
    'state',
    'len(input)',
    'input["list"][0]["id"] + 1',
    'input["li" "st"]',
    String.raw`input["\x6cist"]`,
    'input[f"list"]',
    'input [0',
    '',
  ])('are left to the evaluator otherwise: %s', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('are copies', () => {
    const shared = { names: ['input'], values: [{ list: [1] }], texts: ['input'] }
    const [copy] = readNamed(shared) as [{ list: number[] }]
    copy.list.push(2)
    expect(shared.values).toEqual([{ list: [1] }])
  })

  it('are left to the evaluator and its limits where they are large', () => {
    const readOne = (value: unknown, text = 'input') => readNamed({ names: ['input'], values: [value], texts: [text] })
    expect(readOne('x'.repeat(3998))).toBeDefined()
    expect(readOne('x'.repeat(3999))).toBeUndefined()
    expect(readOne(10n ** 4400n)).toBeUndefined()
    expect(readOne(Array(1_000_000).fill({ a: 1 }))).toBeUndefined()
    expect(readOne([1], `input${'[0]'.repeat(60)}`)).toBeUndefined()
  })

  it('are what the evaluator yields, whatever the text', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'input',
        'event',
        'payload',
        ' ',
        '[',
        ']',
        '["a"]',
        "['b']",
        '[0]',
        '[1]',
        '[01]',
        '["\\n"]',
        '.a',
      ),
      fc.string({ maxLength: 4 }).map((key) => `["${key}"]`),
    )
    const texts = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
    const json = fc.letrec((tie) => ({
      value: fc.oneof(fc.jsonValue({ maxDepth: 1 }), tie('list'), tie('dict')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      dict: fc.dictionary(fc.constantFrom('a', 'b', 'payload', ''), tie('value')),
    })).value
    fc.assert(
      fc.property(texts, json, json, (text, input, event) => {
        const named = readNamed({ names, values: [input, event], texts: [text] })
        if (!named) return
        const evaluated = toJson(compileExpression(text, names).evaluate([input, event]))
        expect(named[0]).toEqual(JSON.parse(JSON.stringify(evaluated)))
      }),
    )
  })

  it('need no thread', async () => {
    const expressions = createExpressions({ warn: () => undefined } as never)
    await expressions.stop()
    expect(await expressions.evaluateAll({ names: ['input'], values: [1], texts: ['input'] })).toEqual([1])
    await expect(expressions.evaluateAll({ names: ['input'], values: [1], texts: ['input + 1'] })).rejects.toThrow(
      'stopped',
    )
  })
})

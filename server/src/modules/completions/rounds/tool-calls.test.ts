import { describe, expect, it } from 'vitest'
import { assistantTurn, createToolCallPieces, maxCalls, withoutToolCalls } from './tool-calls.ts'

const joined = (...deltas: unknown[][]) => {
  const pieces = createToolCallPieces()
  for (const delta of deltas) pieces.add(delta)
  return pieces.list()
}

describe('tool calls', () => {
  it('are put together from their pieces, several at a time', () => {
    const calls = joined(
      [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }],
      [{ index: 1, id: 'b', function: { name: 'count', arguments: '{}' } }],
      [{ index: 0, function: { arguments: '{"at":' } }],
      [{ index: 0, function: { arguments: '"door"}' } }],
    )
    expect(calls).toEqual([
      { id: 'a', name: 'look', arguments: '{"at":"door"}' },
      { id: 'b', name: 'count', arguments: '{}' },
    ])
  })

  it('may lack an id and carry their arguments as an object, as some runtimes send them', () => {
    expect(joined([{ function: { name: 'look', arguments: { at: 'door' } } }])).toEqual([
      { id: 'call_0', name: 'look', arguments: '{"at":"door"}' },
    ])
  })

  it('are bounded, whatever a broken provider sends', () => {
    const flood = Array.from({ length: 1000 }, (_, index) => ({ index: index * 1e6, function: { name: 'x' } }))
    expect(joined(flood, [null, 7, { index: 'a' }, { function: null }])).toHaveLength(maxCalls)
  })

  it('are read once, however long they are and however often their name is repeated', () => {
    const pieces = createToolCallPieces()
    const piece = (text: string) => [{ index: 0, function: { name: 'look', arguments: text } }]
    pieces.add(piece(`{"a":"${'x'.repeat(4_000_000)}`))
    const count = 20_000
    for (let sent = 0; sent < count; sent += 1) pieces.add(piece('}'))
    pieces.add(piece('"}'))
    expect(pieces.list().map((call) => call.arguments.length)).toEqual([6 + 4_000_000 + count + 2])
  })

  it('go back to the model as its own turn', () => {
    expect(assistantTurn('', [{ id: 'a', name: 'look', arguments: '{}' }])).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
    })
  })

  it.each([
    ['the same index', 0],
    ['no index', undefined],
  ])('that come with %s are still several', (_what, index) => {
    const piece = (id: string | undefined, name: string | undefined, text: string) => ({
      ...(index !== undefined && { index }),
      ...(id && { id }),
      function: { ...(name && { name }), arguments: text },
    })
    const expected = [
      { name: 'look', arguments: '{"at":"door"}' },
      { name: 'look', arguments: '{"at":"roof"}' },
      { name: 'count', arguments: '{}' },
    ]
    expect(
      joined(
        [piece('a', 'look', '{"at":')],
        [piece(undefined, undefined, '"door"}')],
        [piece('b', 'look', '{"at":"roof"}')],
        [piece('c', 'count', '{}')],
      ),
    ).toMatchObject(expected)
    expect(
      joined(
        [piece(undefined, 'look', '{"at":"door"}')],
        [piece(undefined, 'look', '{"at":"roof"}')],
        [piece(undefined, 'count', '{}')],
      ),
    ).toMatchObject(expected)
  })

  it('that repeat their name in every piece are one', () => {
    const piece = (text: string) => ({ index: 0, id: 'a', function: { name: 'look', arguments: text } })
    expect(joined([piece('{"at":')], [piece('"door"}')])).toEqual([
      { id: 'a', name: 'look', arguments: '{"at":"door"}' },
    ])
  })

  it('are not shown, while words beside them are', () => {
    const round = { continues: true }
    const chunk = (delta: unknown, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
    })
    expect(withoutToolCalls(chunk({ tool_calls: [] }), round)).toBeNull()
    expect(withoutToolCalls(chunk({}, 'tool_calls'), round)).toBeNull()
    expect(withoutToolCalls(chunk({ content: 'a', tool_calls: [] }), round)).toEqual(chunk({ content: 'a' }))
    expect(withoutToolCalls(chunk({}, 'stop'), { continues: false })).toEqual(chunk({}, 'stop'))
    expect(withoutToolCalls(chunk({}, 'tool_calls'), { continues: false })).toEqual(chunk({}, 'stop'))
  })
})

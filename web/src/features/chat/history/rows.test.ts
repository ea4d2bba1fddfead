import { describe, expect, it } from 'vitest'
import { continuesFrom, rowsOf } from './rows.ts'
import { historyOf } from './sample.ts'

describe('the rows of a conversation', () => {
  it('puts replies of several models side by side, each with its own versions', () => {
    const rows = rowsOf(
      historyOf(
        { q: ['user', null], a: ['assistant', 'q', 0], b: ['assistant', 'q', 1], b2: ['assistant', 'q', 1] },
        'a',
      ),
    )
    expect(rows).toMatchObject([
      { kind: 'user', message: { id: 'q' } },
      {
        kind: 'reply',
        columns: [
          { isActive: true, message: { id: 'a' }, siblings: [{ id: 'a' }] },
          { isActive: false, message: { id: 'b2' }, siblings: [{ id: 'b' }, { id: 'b2' }] },
        ],
      },
    ])
  })

  it('keeps the key of a row when another branch is shown in it', () => {
    const keys = (currentId: string) =>
      rowsOf(historyOf({ q: ['user', null], a: ['assistant', 'q'], b: ['assistant', 'q'] }, currentId)).map(
        ({ key }) => key,
      )
    expect(keys('a')).toEqual(keys('b'))
  })

  it('continues a comparison from a model that answered', () => {
    const { messages } = historyOf(
      { q: ['user', null], a: ['assistant', 'q', 0], b: ['assistant', 'q', 1], c: ['assistant', 'q', 2] },
      'a',
    )
    const failed = { content: '', done: true, error: { content: 'The model failed.' } }
    const after = (b: object, c: object) =>
      continuesFrom({
        currentId: 'a',
        messages: {
          ...messages,
          ...(messages.a && { a: { ...messages.a, ...failed } }),
          ...(messages.b && { b: { ...messages.b, ...b } }),
          ...(messages.c && { c: { ...messages.c, ...c } }),
        },
      })
    expect(after(failed, { done: true })).toBe('c')
    expect(after({ done: false, content: '' }, { done: true })).toBe('c')
    expect(after(failed, failed)).toBe('a')
  })

  it('leaves out system messages', () => {
    expect(rowsOf(historyOf({ s: ['system', null], q: ['user', 's'] }, 'q'))).toMatchObject([{ kind: 'user' }])
  })
})

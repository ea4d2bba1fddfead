import { describe, expect, it } from 'vitest'
import { historyOf, message } from './sample.ts'
import { anotherReply, newTurn, patchOf, withoutTurn, withTurn } from './turns.ts'

const making = () => {
  let last = 0
  return {
    nowSec: 7,
    newId: () => {
      last += 1
      return `n${last}`
    },
  }
}
const models = [
  { id: 'swift', name: 'Swift' },
  { id: 'wise', name: 'Wise' },
]
const before = historyOf({ q: ['user', null], a: ['assistant', 'q'] }, 'a')

describe('a new turn', () => {
  const turn = newTurn({ parentId: 'a', content: 'And?', models, ...making() })

  it('is a question with a pending reply from each model, linked both ways', () => {
    expect(turn.messages).toMatchObject([
      { id: 'n1', role: 'user', parentId: 'a', childrenIds: ['n2', 'n3'], models: ['swift', 'wise'], timestamp: 7 },
      { id: 'n2', role: 'assistant', parentId: 'n1', model: 'swift', modelIdx: 0, done: false, childrenIds: [] },
      { id: 'n3', role: 'assistant', parentId: 'n1', model: 'wise', modelIdx: 1, done: false },
    ])
    expect(turn.currentId).toBe('n2')
  })

  it('adds a child to its parent, and is sent to the server without the rest of the tree', () => {
    expect(withTurn(before, turn).messages.a?.childrenIds).toEqual(['n1'])
    const patch = patchOf(before, turn)
    expect(Object.keys(patch.messages).sort()).toEqual(['a', 'n1', 'n2', 'n3'])
    expect(patch.messages.a).toEqual({ childrenIds: ['n1'] })
  })

  it('leaves no trace when removed', () => {
    expect(withoutTurn(withTurn(before, turn), turn, 'a')).toEqual(before)
  })
})

describe('another reply', () => {
  it('is next to the first one, in the same column', () => {
    const reply = message('a', { role: 'assistant', parentId: 'q', modelIdx: 1 })
    const { messages } = anotherReply(reply, { id: 'wise', name: 'Wise' }, making())
    expect(messages).toMatchObject([{ id: 'n1', parentId: 'q', modelIdx: 1, model: 'wise', done: false }])
  })
})

import { describe, expect, it } from 'vitest'
import { newTurn, withTurn } from '../history/turns.ts'
import { emptyHistory, withFields, withoutMessage } from './history-changes.ts'

let count = 0
const making = { newId: () => `m${++count}`, nowSec: 1 }
const turn = (parentId: string | null, content: string) =>
  newTurn({ parentId, content, models: [{ id: 'swift', name: 'Swift' }], ...making })

describe('a conversation that only this tab has', () => {
  it('keeps what follows a deleted message', () => {
    const first = turn(null, 'One')
    const second = turn(first.currentId, 'Two')
    const history = withTurn(withTurn(emptyHistory, first), second)
    const [question, reply] = first.messages
    const next = second.messages[0]
    if (!question || !reply || !next) throw new Error('no messages')

    const left = withoutMessage(history, reply.id)
    expect(left.messages[next.id]?.parentId).toBe(question.id)
    expect(left.messages[question.id]?.childrenIds).toEqual([next.id])
    expect(left.currentId).toBe(second.currentId)
  })

  it('goes back to the question when its last reply is deleted, and changes nothing unknown', () => {
    const only = turn(null, 'One')
    const history = withTurn(emptyHistory, only)
    const reply = history.messages[only.currentId]
    if (!reply) throw new Error('no reply')
    expect(withoutMessage(history, reply.id).currentId).toBe(reply.parentId)
    expect(withFields(history, 'unknown', { content: 'x' })).toBe(history)
  })
})

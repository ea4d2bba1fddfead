import type { Chat } from '@chancery/contract/chats/chats.ts'
import { describe, expect, it } from 'vitest'
import { isPartial, withChange, withEvent, withHistory } from './changes.ts'
import { historyOf, message } from './sample.ts'

const chat = (currentId: string): Chat =>
  withHistory(
    { id: 'c', title: 'Old', updated_at: 1, chat: { title: 'Old' }, meta: { tags: [] } } as unknown as Chat,
    historyOf({ q: ['user', null], a: ['assistant', 'q'] }, currentId),
  )
const change = (fields: Partial<Parameters<typeof withChange>[1]>) => ({
  current_id: null,
  updated_at: 2,
  message_ids: [],
  ...fields,
})

describe('changes from another tab', () => {
  const turn = {
    q2: message('q2', { parentId: 'a' }),
    a2: message('a2', { role: 'assistant', parentId: 'q2', done: false }),
  }

  it('are added and linked, and the view follows if it was at the end', () => {
    const { history } = withChange(
      chat('a'),
      change({ current_id: 'a2', messages: turn, message_ids: ['q2', 'a2'] }),
    ).chat
    expect(history.currentId).toBe('a2')
    expect(history.messages.a?.childrenIds).toEqual(['q2'])
  })

  it('do not move the reader to another branch', () => {
    const elsewhere = { b: message('b', { role: 'assistant', parentId: 'q', done: true }) }
    const { history } = withChange(chat('a'), change({ current_id: 'b', messages: elsewhere, message_ids: ['b'] })).chat
    expect(history.currentId).toBe('a')
    expect(history.messages.q?.childrenIds).toEqual(['a', 'b'])
  })

  it('never make a finished reply unfinished', () => {
    const done = withChange(
      chat('a'),
      change({ messages: { a: { content: 'All of it', done: true } }, message_ids: ['a'] }),
    )
    const late = withChange(done, change({ messages: { a: { content: '', done: false } }, message_ids: ['a'] }))
    expect(late.chat.history.messages.a).toMatchObject({ content: 'All of it', done: true })
  })

  it('rename the chat, but a title that comes with messages only triggers a refetch', () => {
    expect(withChange(chat('a'), change({ title: 'New' })).title).toBe('New')
    const mixed = change({ title: 'New', messages: turn, message_ids: ['q2'] })
    expect(withChange(chat('a'), mixed).title).toBe('Old')
    expect(isPartial(chat('a'), mixed)).toBe(true)
    expect(isPartial(chat('a'), change({ title: 'Old', message_ids: ['q2'], messages: turn }))).toBe(false)
    expect(isPartial(chat('a'), change({ message_ids: ['far'] }))).toBe(true)
    // A change of the tags that was announced after a newer title.
    expect(isPartial(chat('a'), change({ title: 'Older' }))).toBe(true)
    expect(isPartial(chat('a'), change({ title: 'Old' }))).toBe(false)
  })
})

describe('events about a message', () => {
  const reply = message('a', { role: 'assistant', content: 'So', embeds: ['one'], sources: [{ id: 1 }] })

  it.each([
    ['message', { content: ' far' }, { content: 'So far' }],
    ['replace', { content: 'New' }, { content: 'New' }],
    ['embeds', { embeds: ['two'] }, { embeds: ['one', 'two'] }],
    ['embeds', { embeds: [], replace: true }, { embeds: [] }],
    ['source', { id: 2 }, { sources: [{ id: 1 }, { id: 2 }] }],
    ['status', { description: 'Looking', done: false }, { statusHistory: [{ description: 'Looking', done: false }] }],
    ['chat:message:delta', { content: ' far' }, { content: 'So far' }],
    ['chat:message', { content: 'New' }, { content: 'New' }],
    ['files', { files: ['f'] }, { files: ['f'] }],
    ['chat:message:files', { files: ['f'] }, { files: ['f'] }],
    ['chat:message:embeds', { embeds: ['two'] }, { embeds: ['one', 'two'] }],
    ['citation', { id: 2 }, { sources: [{ id: 1 }, { id: 2 }] }],
    ['chat:message:favorite', { favorite: true }, { favorite: true }],
    ['chat:completion', { content: 'All of it' }, { content: 'All of it' }],
    ['chat:completion', { choices: [{ delta: { content: ' far' } }, { delta: {} }] }, { content: 'So far' }],
    ['chat:completion', { sources: [{ id: 2 }] }, { content: 'So', sources: [{ id: 1 }, { id: 2 }] }],
    ['chat:completion', { own: 'thing' }, { content: 'So', sources: [{ id: 1 }] }],
    ['chat:message:follow_ups', { follow_ups: ['Why?'] }, { followUps: ['Why?'] }],
  ])('%s', (type, data, expected) => expect(withEvent(reply, type, data)).toMatchObject(expected))

  it('are ignored when unknown or malformed', () => {
    expect(withEvent(reply, 'constructor', {})).toBeUndefined()
    expect(withEvent(reply, 'message', 'text')).toBeUndefined()
  })
})

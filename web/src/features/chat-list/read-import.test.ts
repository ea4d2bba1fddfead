import { describe, expect, it } from 'vitest'
import { readImport } from './read-import.ts'

const record = { title: 'Paper', chat: { title: 'Paper', models: [], history: { messages: {} } } }

describe('a file to import', () => {
  it('may hold a list, one record, or a body as the API takes it', () => {
    for (const value of [[record], record, { chats: [record] }]) {
      expect(readImport(JSON.stringify(value))).toMatchObject({ count: 1, body: { chats: [{ title: 'Paper' }] } })
    }
  })

  it('is refused in words when it is something else', () => {
    expect(readImport('not json')).toEqual({ problem: 'This file is not JSON.' })
    expect(readImport('[]')).toEqual({ problem: 'This file holds no chats.' })
    expect(readImport(JSON.stringify([record, { title: 'no chat' }]))).toEqual({
      problem: 'Chat 2 of the file is not one this page understands.',
    })
  })

  it('is refused when it is more than one call may carry', () => {
    expect(readImport(JSON.stringify(Array(501).fill(record)))).toEqual({
      problem: 'One file holds at most 500 chats.',
    })
  })
})

import { describe, expect, it } from 'vitest'
import { readImport } from './read-import.ts'

const record = { title: 'Paper', chat: { title: 'Paper', models: [], history: { messages: {} } } }

describe('a file to import', () => {
  it('accepts a list, one record, or the body format of the API', () => {
    for (const value of [[record], record, { chats: [record] }]) {
      expect(readImport(JSON.stringify(value))).toMatchObject({ count: 1, body: { chats: [{ title: 'Paper' }] } })
    }
  })

  it('is rejected with a message if it is something else', () => {
    expect(readImport('not json')).toEqual({ problem: 'This file isn’t valid JSON.' })
    expect(readImport('[]')).toEqual({ problem: 'This file contains no chats.' })
    expect(readImport(JSON.stringify([record, { title: 'no chat' }]))).toEqual({
      problem: 'Chat 2 in this file isn’t in a supported format.',
    })
  })

  it('is rejected if it exceeds the limit of one request', () => {
    expect(readImport(JSON.stringify(Array(501).fill(record)))).toEqual({
      problem: 'A file can contain up to 500 chats.',
    })
  })
})

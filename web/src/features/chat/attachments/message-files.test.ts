import type { Message } from '@chancery/contract/chats/chats.ts'
import { describe, expect, it } from 'vitest'
import { promptMessage, referencesIn } from './message-files.ts'

const message = (fields: Partial<Message>): Message => ({
  id: 'm',
  role: 'user',
  content: 'Look',
  parentId: null,
  childrenIds: [],
  timestamp: 0,
  ...fields,
})
const file = { type: 'file', id: 'f', name: 'a.txt' }
const image = { type: 'image', id: 'i', name: 'a.png' }

describe('the files of a conversation', () => {
  it('are searched once each, also by later questions; images and malformed entries are not', () => {
    const thread = [message({ files: [file, image] }), message({ files: [file, { type: 'x' }, 'y'] }), message({})]
    const reference = { type: 'file', id: 'f', status: 'processed' }
    expect(referencesIn(thread)).toEqual([{ ...reference, earlier: true }])
    expect(referencesIn(thread.slice(0, 2))).toEqual([reference])
  })

  it('put images beside the text of their message, by address', () => {
    expect(promptMessage(message({ files: [file] }))).toEqual({ role: 'user', content: 'Look' })
    expect(promptMessage(message({ files: [image] })).content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: '/api/v1/files/i/content' } },
    ])
    const reply = message({ role: 'assistant', files: [image] })
    expect(promptMessage(reply)).toEqual({ role: 'assistant', content: 'Look' })
  })
})

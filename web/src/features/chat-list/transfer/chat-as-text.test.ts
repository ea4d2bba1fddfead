import type { Chat } from '@chancery/contract/chats/chats.ts'
import { expect, it } from 'vitest'
import { chatAsText } from './chat-as-text.ts'

const message = (role: string, content: string, modelName?: string) => ({
  id: content,
  role,
  content,
  parentId: null,
  childrenIds: [],
  timestamp: 0,
  ...(modelName !== undefined && { modelName }),
})

const chat = {
  title: 'Paper',
  created_at: 1_700_000_000,
  chat: {
    messages: [
      message('user', 'How large is A4?'),
      message('assistant', '**210** × 297 mm ', 'Swift'),
      message('assistant', ''),
    ],
  },
} as unknown as Chat

it('writes the active branch as Markdown and as text, without replies that failed', () => {
  expect(chatAsText(chat, 'md')).toBe(
    '# Paper\n\n2023-11-14 22:13 UTC\n\n## You\n\nHow large is A4?\n\n## Swift\n\n**210** × 297 mm\n',
  )
  expect(chatAsText(chat, 'txt')).toBe(
    'Paper\n\n2023-11-14 22:13 UTC\n\nYou:\n\nHow large is A4?\n\nSwift:\n\n**210** × 297 mm\n',
  )
})

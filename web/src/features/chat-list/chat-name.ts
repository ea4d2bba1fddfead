/** The display name of a chat, and a version that is safe as a file name. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'

export const nameOf = ({ title }: Pick<ChatListItem, 'title'>): string => (title === '' ? 'Untitled' : title)

const longest = 60

export function fileNameOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longest)
  return plain === '' ? 'chat' : plain.toLowerCase()
}

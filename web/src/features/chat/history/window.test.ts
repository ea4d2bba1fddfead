import { expect, it } from 'vitest'
import type { History } from './tree.ts'
import { beginningOf, isWhole, withMore } from './window.ts'

const message = (id: string, parentId: string | null, childrenIds: string[] = []) => ({
  id,
  parentId,
  childrenIds,
  role: 'user',
  content: id,
  timestamp: 1,
})
const historyOf = (...messages: ReturnType<typeof message>[]): History => ({
  currentId: messages.at(-1)?.id ?? null,
  messages: Object.fromEntries(messages.map((each) => [each.id, each])),
})
const [a, b, c] = [message('a', null, ['b']), message('b', 'a', ['c']), message('c', 'b')]

it('knows where the part begins that is here', () => {
  expect(beginningOf(historyOf(b, c))).toBe('b')
  expect(beginningOf(historyOf(a, b, c))).toBeUndefined()
  expect(beginningOf(historyOf())).toBeUndefined()
})

it('is whole with every message that is named', () => {
  expect(isWhole(historyOf(a, b, c))).toBe(true)
  expect(isWhole(historyOf(b, c))).toBe(false)
  expect(isWhole(historyOf(a))).toBe(false)
})

it('adds earlier messages and keeps what is here', () => {
  const newer = { ...b, content: 'edited' }
  const history = withMore(historyOf(newer, c), historyOf(a, b))
  expect(history.currentId).toBe('c')
  expect(history.messages.b?.content).toBe('edited')
  expect(isWhole(history)).toBe(true)
})

import { expect, it } from 'vitest'
import { createHub } from './hub.ts'

it('delivers to everyone who listens but the sender, and counts the sender, and nobody who is full or gone', () => {
  const delivered: string[] = []
  const full = new Set<string>()
  const hub = createHub<string>((member, { channel, text }) => {
    if (full.has(member)) return false
    delivered.push(`${member} ${channel} ${text}`)
    return true
  })
  hub.subscribe('one', ['ana', 'ben'])
  hub.subscribe('two', ['ana'])
  hub.subscribe('three', ['ana'])
  expect(hub.send('one', 'ana', 'hello')).toBe(3)
  expect(delivered).toEqual(['two ana hello', 'three ana hello'])
  expect(hub.send('two', 'nobody', 'hello')).toBe(0)

  full.add('two')
  hub.remove('three')
  expect(hub.send('one', 'ana', 'again')).toBe(1)
  hub.unsubscribe('one', 'ana')
  expect(hub.send('one', 'ana', 'again')).toBe(0)
  expect(hub.send('two', 'ben', 'to one')).toBe(1)
  expect(delivered.slice(2)).toEqual(['one ben to one'])
})

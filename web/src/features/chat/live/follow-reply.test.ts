import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../history/reply.ts'
import { type FollowerPorts, followReply } from './follow-reply.ts'

const words = (seq: number, content: string): ReplyFrame => ({ seq, choices: [{ delta: { content } }] })
const end = (seq: number): ReplyFrame => ({ seq, done: true })

/** A resume stream controlled by the test. */
const stream = () => {
  let wake = () => {}
  const frames: (ReplyFrame | 'end' | Error)[] = []
  const put = (...more: typeof frames) => {
    frames.push(...more)
    wake()
  }
  async function* read() {
    for (;;) {
      const next = frames.shift()
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if (next === 'end') return
      else if (next instanceof Error) throw next
      else yield next
    }
  }
  return { put, read }
}

const desk = (ports: Partial<FollowerPorts> = {}) => {
  const asked: number[] = []
  const ended = Promise.withResolvers<Reply>()
  const source = stream()
  let lost = 0
  let reply: Reply | undefined
  const follower = followReply({
    readFrames: (after) => {
      asked.push(after)
      return source.read()
    },
    onReply: (next) => (reply = next),
    onEnd: ended.resolve,
    onLost: () => (lost += 1),
    isMissing: (error) => error instanceof Error && error.message === 'missing',
    isFresh: false,
    wait: async () => {},
    ...ports,
  })
  return { follower, asked, source, ended: ended.promise, content: () => reply?.content, lost: () => lost }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('following a reply', () => {
  it('uses the socket alone when it delivers every frame', async () => {
    const { follower, asked, ended } = desk({ isFresh: true })
    for (const frame of [words(1, 'One '), words(2, 'two'), end(3)]) follower.take(frame)
    expect(await ended).toMatchObject({ content: 'One two', isDone: true })
    expect(asked).toEqual([])
  })

  it('fills a gap found before the server accepted the request, even if nothing more arrives', async () => {
    const { follower, asked, source, ended } = desk({ isFresh: true })
    follower.take(end(3))
    expect(asked).toEqual([])
    follower.begun()
    source.put(words(2, 'One two'), end(3))
    expect(await ended).toMatchObject({ content: 'One two', isDone: true })
    expect(asked).toEqual([0])
  })

  it('asks for a reply that sent nothing, because its frames may have been sent before anyone listened', async () => {
    const { follower, asked, source, ended } = desk({ isFresh: true })
    follower.begun()
    source.put(words(2, 'One two'), end(3))
    expect(await ended).toMatchObject({ content: 'One two', isDone: true })
    expect(asked).toEqual([0])
  })

  it('fills a gap from the stream, whose frames are merged, without duplicates', async () => {
    const { follower, asked, source, ended, content } = desk({ isFresh: true })
    follower.begun()
    follower.take(words(1, 'One '))
    follower.take(words(4, 'four '))
    follower.take(words(5, 'five '))
    source.put(words(5, 'two three four five '))
    await settled()
    expect(asked).toEqual([1])
    expect(content()).toBe('One two three four five ')
    follower.take(words(5, 'five '))
    follower.take(words(6, 'six'))
    follower.take(end(7))
    expect(await ended).toMatchObject({ content: 'One two three four five six' })
  })

  it('uses only the stream while it is being read', async () => {
    const { follower, source, content } = desk()
    follower.resume()
    follower.take(words(1, 'One '))
    source.put(words(2, 'One two '))
    await settled()
    expect(content()).toBe('One two ')
  })

  it('resumes from where it was when the stream breaks', async () => {
    const { follower, asked, source, ended, lost } = desk()
    follower.resume()
    source.put(words(3, 'Half'), new Error('cut'), words(4, ' and half'), end(5))
    expect(await ended).toMatchObject({ content: 'Half and half' })
    expect(asked).toEqual([0, 3])
    expect(lost()).toBe(1)
  })

  it('resumes nothing before its own request was accepted', async () => {
    const { follower, asked } = desk({ isFresh: true })
    follower.resume()
    expect(asked).toEqual([])
    follower.begun()
    follower.resume()
    expect(asked).toEqual([0])
  })

  it('ends with an error if the reply is repeatedly not found', async () => {
    const { follower, source, ended } = desk()
    source.put(...Array.from({ length: 9 }, () => new Error('missing')))
    follower.resume()
    expect(await ended).toMatchObject({ isDone: true, error: { code: 'reply_not_running' } })
  })
})

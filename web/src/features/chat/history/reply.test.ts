import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { describe, expect, it } from 'vitest'
import { blankReply, checkFrame, withFrame } from './reply.ts'

const words = (seq: number, content: string): ReplyFrame => ({ seq, choices: [{ index: 0, delta: { content } }] })

describe('building a reply from its frames', () => {
  it('distinguishes the next frame from an old one and from one after a gap', () => {
    const reply = withFrame(blankReply, words(1, 'One'))
    expect([1, 2, 3].map((seq) => checkFrame(reply, words(seq, '')))).toEqual(['old', 'new', 'gap'])
  })

  it('joins text, reasoning and sources, and remembers the end', () => {
    const frames: ReplyFrame[] = [
      { seq: 1, sources: [{ id: 1 }] },
      { seq: 2, choices: [{ delta: { reasoning_content: 'Hm.' } }] },
      words(3, 'Yes'),
      { seq: 4, sources: [{ id: 2 }] },
      words(5, '.'),
      { seq: 6, done: true, usage: { total_tokens: 3 } },
    ]
    expect(frames.reduce(withFrame, blankReply)).toEqual({
      seq: 6,
      content: 'Yes.',
      reasoning: 'Hm.',
      sources: [{ id: 1 }, { id: 2 }],
      error: undefined,
      usage: { total_tokens: 3 },
      isDone: true,
    })
  })

  it('replaces everything with a full text', () => {
    const reply = withFrame(withFrame(blankReply, words(1, 'Half')), { seq: 2, content: 'All of it', done: true })
    expect(reply).toMatchObject({ content: 'All of it', isDone: true, seq: 2 })
  })
})

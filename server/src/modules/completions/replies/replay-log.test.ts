import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReplayLog, type ReplayLog } from './replay-log.ts'

/** The frames as a reader understands them: two texts, and everything else in order. */
const heard = (frames: readonly ReplyFrame[]) => ({
  content: frames.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join(''),
  reasoning: frames.map(({ choices }) => choices?.[0]?.delta?.reasoning_content ?? '').join(''),
  others: frames.filter(({ choices }) => choices === undefined),
})

const speak = (log: ReplayLog, steps: readonly (string | number)[]): ReplyFrame[] =>
  steps.map((step) => {
    if (typeof step === 'number') return log.add({ sources: [step] })
    return log.addText(step.startsWith('!') ? { content: '', reasoning: step } : { content: step, reasoning: '' })
  })

const steps = fc.array(fc.oneof(fc.string({ minLength: 1 }), fc.integer()), { maxLength: 30 })

describe('the replay log', () => {
  it('numbers frames from 1 on without a gap', () => {
    const frames = speak(createReplayLog(), ['a', 1, '!b', 'c'])
    expect(frames.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  it('gives a whole text again as one frame', () => {
    const log = createReplayLog()
    speak(log, ['It ', 'is ', 'noon'])
    expect(log.after(0)).toEqual([{ seq: 3, choices: [{ index: 0, delta: { content: 'It is noon' } }] }])
    expect(log.after(2)).toEqual([{ seq: 3, choices: [{ index: 0, delta: { content: 'noon' } }] }])
    expect(log.after(3)).toEqual([])
  })

  it('gives a reader who joins after any frame exactly what they missed, in a few frames of rising number', () => {
    fc.assert(
      fc.property(steps, fc.nat(35), (said, joined) => {
        const log = createReplayLog()
        const frames = speak(log, said)
        const again = log.after(joined)
        expect(heard(again)).toEqual(heard(frames.slice(joined)))
        const others = frames.slice(joined).filter(({ choices }) => choices === undefined)
        expect(again.length).toBeLessThanOrEqual(2 * others.length + 1)
        const numbers = [Math.min(joined, frames.length), ...again.map(({ seq }) => seq)]
        expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
        expect(numbers.at(-1)).toBe(frames.length)
      }),
    )
  })
})

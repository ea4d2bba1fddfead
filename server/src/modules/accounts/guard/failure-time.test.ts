import { describe, expect, it } from 'vitest'
import { createFailureTime } from './failure-time.ts'

const clocked = () => {
  const clock = { ms: 1000, pauses: [] as number[] }
  const time = createFailureTime({
    now: () => clock.ms,
    pause: async (ms) => {
      clock.pauses.push(ms)
    },
  })
  return { clock, time }
}

describe('a failed sign-in', () => {
  it('waits as long as the slowest directory took, minus what it has taken already', async () => {
    const { clock, time } = clocked()
    time.note(5000)
    time.note(20)
    clock.ms += 300
    await time.wait(clock.ms - 100)
    expect(clock.pauses).toEqual([4900])
  })

  it('does not wait where no directory was slow in the last minute', async () => {
    const { clock, time } = clocked()
    await time.wait(clock.ms)
    time.note(5000)
    clock.ms += 61_000
    await time.wait(clock.ms)
    expect(clock.pauses).toEqual([])
  })

  it('does not wait when it has taken as long itself', async () => {
    const { clock, time } = clocked()
    time.note(5000)
    await time.wait(clock.ms - 5000)
    expect(clock.pauses).toEqual([])
  })
})

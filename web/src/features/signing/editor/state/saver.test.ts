import { describe, expect, it } from 'vitest'
import { createSaver, type SaveStatus } from './saver.ts'

const setUp = (failures = 0, message = 'down') => {
  const saved: string[] = []
  const statuses: SaveStatus[] = []
  let left = failures
  const saver = createSaver<string>({
    save: async (state) => {
      if (left-- > 0) throw new Error(message)
      saved.push(state)
    },
    onStatus: (status) => statuses.push(status),
    isConflict: (error) => error instanceof Error && error.message === 'changed',
    waitMs: 1_000_000,
  })
  return { saver, saved, statuses }
}

describe('saving in the background', () => {
  it('sends only the newest state, and says when it is saved', async () => {
    const { saver, saved, statuses } = setUp()
    saver.change('one')
    saver.change('two')
    await saver.flush()
    await saver.flush()
    expect(saved).toEqual(['two'])
    expect(statuses.at(-1)).toBe('saved')
  })

  it('keeps what failed and sends it the next time', async () => {
    const { saver, saved, statuses } = setUp(1)
    saver.change('one')
    await expect(saver.flush()).rejects.toThrow('down')
    expect(statuses.at(-1)).toBe('failed')
    await saver.flush()
    expect(saved).toEqual(['one'])
  })

  it('says that another tab saved first, and gives up what the person discards', async () => {
    const { saver, saved, statuses } = setUp(1, 'changed')
    saver.change('mine')
    await expect(saver.flush()).rejects.toThrow('changed')
    expect(statuses.at(-1)).toBe('conflict')
    saver.discard()
    await saver.flush()
    expect(saved).toEqual([])
    expect(statuses.at(-1)).toBe('saved')
  })
})

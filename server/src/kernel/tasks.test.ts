import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'
import { createTasks } from './tasks.ts'

const supervised = () => {
  const lines: string[] = []
  return { tasks: createTasks(createLog('info', { write: (line) => lines.push(line) })), lines }
}

describe('supervised background work', () => {
  it('logs and counts a failure instead of losing it', async () => {
    const { tasks, lines } = supervised()
    tasks.run('post', async () => {
      throw new Error('the post office is closed')
    })

    expect(await tasks.settle(1000)).toBe(true)
    expect(tasks.failuresOf('post')).toBe(1)
    expect(lines.join()).toContain('the post office is closed')
  })

  it('treats work that throws before its first await the same way', async () => {
    const { tasks } = supervised()
    tasks.run('post', () => {
      throw new Error('at once')
    })

    expect(await tasks.settle(1000)).toBe(true)
    expect(tasks.failuresOf('post')).toBe(1)
  })

  it('waits for work in flight, and for work which that work has started', async () => {
    const { tasks } = supervised()
    const done: string[] = []
    tasks.run('outer', async () => {
      await sleep(5)
      tasks.run('inner', async () => {
        await sleep(5)
        done.push('inner')
      })
      done.push('outer')
    })

    expect(await tasks.settle(5000)).toBe(true)
    expect(done).toEqual(['outer', 'inner'])
  })

  it('says so when the work does not end in time', async () => {
    const { tasks } = supervised()
    const gate = Promise.withResolvers<void>()
    tasks.run('stuck', () => gate.promise)

    expect(await tasks.settle(5)).toBe(false)
    gate.resolve()
    expect(await tasks.settle(1000)).toBe(true)
  })

  it('repeats on an interval without overlap, survives a failing run and stops with its signal', async () => {
    const { tasks } = supervised()
    const stop = new AbortController()
    const thrice = Promise.withResolvers<void>()
    let running = 0
    let mostAtOnce = 0
    let runs = 0
    tasks.every('tick', { everyMs: 1, signal: stop.signal }, async () => {
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      await sleep(4)
      running -= 1
      runs += 1
      if (runs === 3) thrice.resolve()
      throw new Error('every time')
    })

    await thrice.promise
    stop.abort()
    await tasks.settle(1000)
    const atStop = runs
    await sleep(20)

    expect(mostAtOnce).toBe(1)
    expect(runs).toBe(atStop)
    expect(tasks.failuresOf('tick')).toBe(atStop)
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { FlowBuffer } from '#kernel/bytes/flow-buffer.ts'
import { createRunningCalls } from './running-calls.ts'

const longMs = 60_000

/** A call whose bytes come when the test says so. */
const openFlow = () => {
  const buffer = new FlowBuffer()
  const flow: ByteFlow = {
    pipeTo: (sink) => buffer.open(sink),
    pause: () => undefined,
    resume: () => undefined,
    close: (problem) => buffer.finish(problem),
    onClosed: (listener) => buffer.onClosed(listener),
  }
  return { flow, buffer }
}

/** Pieces that wait for the test between the first and the last. */
const openPieces = () => {
  const rest = Promise.withResolvers<void>()
  const pieces = async function* () {
    yield 'first'
    await rest.promise
    yield 'last'
  }
  return { pieces: pieces(), finish: rest.resolve }
}

describe('a server that stops', () => {
  it('does not wait where nothing runs', async () => {
    const calls = createRunningCalls()
    await calls.drain(longMs)
    expect(calls.signal.aborted).toBe(false)
    calls.end()
    expect(calls.signal.aborted).toBe(true)
  })

  it('waits for a call whose model has not sent its first byte', async () => {
    const calls = createRunningCalls()
    const done = calls.begin()
    let isOver = false
    const drained = calls.drain(longMs).then(() => {
      isOver = true
    })
    await sleep(0)
    expect([isOver, calls.count]).toEqual([false, 1])
    done()
    await drained
  })

  it('waits for bytes under way and for pieces under way, and aborts nothing meanwhile', async () => {
    const calls = createRunningCalls()
    const { flow, buffer } = openFlow()
    calls.watch(flow)
    const { pieces, finish } = openPieces()
    const held = calls.hold(pieces)
    await held.next()

    const drained = calls.drain(longMs)
    buffer.finish()
    await sleep(0)
    expect(calls.signal.aborted).toBe(false)
    finish()
    expect(await held.next()).toEqual({ done: false, value: 'last' })
    await held.next()
    await drained
  })

  it('counts pieces no longer whose reader has left', async () => {
    const calls = createRunningCalls()
    const held = calls.hold(openPieces().pieces)
    await held.next()
    await held.return(undefined)
    await calls.drain(longMs)
  })

  it('ends what does not end by itself, and what comes later at once', async () => {
    const calls = createRunningCalls()
    const [first, late] = [openFlow(), openFlow()]
    const heard: string[] = []
    const sink = {
      take: () => undefined,
      end: () => void heard.push('end'),
      fail: (problem: Error) => void heard.push(problem.message),
    }
    first.flow.pipeTo(sink)
    calls.watch(first.flow)
    await calls.drain(1)
    late.flow.pipeTo(sink)
    calls.watch(late.flow)
    expect(heard).toHaveLength(2)
    expect(heard).not.toContain('end')
  })
})

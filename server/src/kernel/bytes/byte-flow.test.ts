import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type ByteFlow, type ByteSink, flowOf, streamOf } from './byte-flow.ts'
import { Spout } from './spout.ts'

/** What a sink was told, word for word. */
const listener = () => {
  const heard: string[] = []
  const sink: ByteSink = {
    take: (bytes) => void heard.push(String(bytes)),
    end: () => void heard.push('(end)'),
    fail: (problem) => void heard.push(`(${problem.message})`),
  }
  return { heard, sink }
}

const bytes = (text: string) => Buffer.from(text)

describe('a spout', () => {
  it('holds what comes before its taker, and the end with it', () => {
    const spout = new Spout()
    spout.push(bytes('a'))
    spout.push(bytes('b'))
    spout.finish()
    const { heard, sink } = listener()
    spout.open(sink)
    expect(heard).toEqual(['a', 'b', '(end)'])
  })

  it('lets the source wait when nobody takes, and when the taker asks for it', () => {
    const spout = new Spout()
    expect(spout.push(bytes('a'))).toBe(true)
    expect(spout.push(Buffer.alloc(64 * 1024))).toBe(false)
    spout.open(listener().sink)
    expect(spout.push(bytes('b'))).toBe(true)
    spout.isPaused = true
    expect(spout.push(bytes('c'))).toBe(false)
  })

  it('tells one end only, and takes nothing after it', () => {
    const spout = new Spout()
    const { heard, sink } = listener()
    spout.open(sink)
    spout.finish(new Error('broken'))
    spout.push(bytes('late'))
    spout.finish()
    expect(heard).toEqual(['(broken)'])
  })

  it('gives no more to a sink that has had enough of what was held', () => {
    const spout = new Spout()
    for (const text of ['a', 'b', 'c']) spout.push(bytes(text))
    const { heard, sink } = listener()
    spout.open({
      ...sink,
      take: (given) => {
        sink.take(given)
        spout.finish(new Error('enough'))
      },
    })
    expect(heard).toEqual(['a', '(enough)'])
  })

  it('is taken once', () => {
    const spout = new Spout()
    spout.open(listener().sink)
    const { heard, sink } = listener()
    spout.open(sink)
    spout.push(bytes('a'))
    expect(heard).toEqual([expect.stringMatching(/^\(/)])
  })
})

describe('a stream as a flow', () => {
  it.each<[string, () => Readable, string[]]>([
    ['that ends', () => Readable.from([bytes('a'), bytes('b')]), ['a', 'b', '(end)']],
    [
      'that breaks',
      () =>
        Readable.from(
          (async function* () {
            yield bytes('a')
            throw new Error('broken')
          })(),
        ),
      ['a', '(broken)'],
    ],
    ['that broke before', () => new Readable({ read: () => undefined }).destroy(), [expect.stringMatching(/^\(/)]],
  ])('%s tells its sink so, once', async (_name, open, expected) => {
    const { heard, sink } = listener()
    const stream = open().on('error', () => undefined)
    flowOf(stream).pourInto(sink)
    await expect.poll(() => stream.closed).toBe(true)
    expect(heard).toEqual(expected)
  })

  it('that is closed closes the stream', async () => {
    const stream = new Readable({ read: () => undefined }).on('error', () => undefined)
    const flow = flowOf(stream)
    const { heard, sink } = listener()
    flow.pourInto(sink)
    flow.close(new Error('enough'))
    await expect.poll(() => heard).toEqual(['(enough)'])
  })
})

describe('a flow as a stream', () => {
  /** A flow of so many pieces that stops when it is told to. */
  const counting = (pieces: number) => {
    const spout = new Spout()
    let sent = 0
    let isClosed = false
    const run = (): void => {
      while (sent < pieces && !spout.isPaused && !spout.isOver) {
        sent += 1
        spout.push(Buffer.alloc(1000, sent))
      }
      if (sent === pieces) spout.finish()
    }
    const flow: ByteFlow = {
      pourInto: (sink) => spout.open(sink),
      pause: () => {
        spout.isPaused = true
      },
      resume: () => {
        spout.isPaused = false
        run()
      },
      close: (problem) => {
        isClosed = true
        spout.finish(problem ?? new Error('left'))
      },
      whenClosed: (listener) => spout.whenClosed(listener),
    }
    return { flow, sent: () => sent, isClosed: () => isClosed }
  }

  it('gives every byte, in order, and ends', async () => {
    const pieces: Buffer[] = []
    for await (const piece of streamOf(counting(300).flow)) pieces.push(piece as Buffer)
    const all = Buffer.concat(pieces)
    expect(all.length).toBe(300_000)
    expect([all[0], all[999], all[1000], all[299_999]]).toEqual([1, 1, 2, 300 % 256])
  })

  it('lets the flow wait for a slow reader', async () => {
    const { flow, sent } = counting(10_000)
    const stream = streamOf(flow)
    stream.once('readable', () => undefined)
    await expect.poll(sent).toBeGreaterThan(0)
    expect(sent()).toBeLessThan(200)
    stream.destroy()
  })

  it('closes the flow when the reader leaves', async () => {
    const { flow, isClosed } = counting(10_000)
    for await (const _piece of streamOf(flow)) break
    expect(isClosed()).toBe(true)
  })
})

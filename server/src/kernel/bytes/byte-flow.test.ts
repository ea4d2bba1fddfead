import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type ByteFlow, type ByteSink, flowOf, piecesOf, streamOf } from './byte-flow.ts'
import { FlowBuffer } from './flow-buffer.ts'

/** The calls of a sink, word for word. */
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

describe('a buffer', () => {
  it('holds what comes before its taker, and the end with it', () => {
    const buffer = new FlowBuffer()
    buffer.push(bytes('a'))
    buffer.push(bytes('b'))
    buffer.finish()
    const { heard, sink } = listener()
    buffer.open(sink)
    expect(heard).toEqual(['a', 'b', '(end)'])
  })

  it('lets the source wait when nobody takes, and when the taker asks for it', () => {
    const buffer = new FlowBuffer()
    expect(buffer.push(bytes('a'))).toBe(true)
    expect(buffer.push(Buffer.alloc(64 * 1024))).toBe(false)
    buffer.open(listener().sink)
    expect(buffer.push(bytes('b'))).toBe(true)
    buffer.isPaused = true
    expect(buffer.push(bytes('c'))).toBe(false)
  })

  it('tells one end only, and takes nothing after it', () => {
    const buffer = new FlowBuffer()
    const { heard, sink } = listener()
    buffer.open(sink)
    buffer.finish(new Error('broken'))
    buffer.push(bytes('late'))
    buffer.finish()
    expect(heard).toEqual(['(broken)'])
  })

  it('gives no more to a sink that has had enough of what was held', () => {
    const buffer = new FlowBuffer()
    for (const text of ['a', 'b', 'c']) buffer.push(bytes(text))
    const { heard, sink } = listener()
    buffer.open({
      ...sink,
      take: (given) => {
        sink.take(given)
        buffer.finish(new Error('enough'))
      },
    })
    expect(heard).toEqual(['a', '(enough)'])
  })

  it('is taken once', () => {
    const buffer = new FlowBuffer()
    buffer.open(listener().sink)
    const { heard, sink } = listener()
    buffer.open(sink)
    buffer.push(bytes('a'))
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
    flowOf(stream).pipeTo(sink)
    await expect.poll(() => stream.closed).toBe(true)
    expect(heard).toEqual(expected)
  })

  it('that is closed closes the stream', async () => {
    const stream = new Readable({ read: () => undefined }).on('error', () => undefined)
    const flow = flowOf(stream)
    const { heard, sink } = listener()
    flow.pipeTo(sink)
    flow.close(new Error('enough'))
    await expect.poll(() => heard).toEqual(['(enough)'])
  })
})

describe('the pieces of a flow', () => {
  it('come before the failure that ended it', async () => {
    const buffer = new FlowBuffer()
    buffer.push(bytes('a'))
    buffer.push(bytes('b'))
    buffer.finish(new Error('broken'))
    const flow = { pipeTo: (sink: ByteSink) => buffer.open(sink), pause: () => undefined } as ByteFlow
    const seen: string[] = []
    await expect(
      (async () => {
        for await (const piece of piecesOf(flow)) seen.push(String(piece))
      })(),
    ).rejects.toThrow('broken')
    expect(seen).toEqual(['a', 'b'])
  })
})

describe('a flow as a stream', () => {
  /** A flow of so many pieces that stops when it is told to. */
  const counting = (pieces: number) => {
    const buffer = new FlowBuffer()
    let sent = 0
    let isClosed = false
    const run = (): void => {
      while (sent < pieces && !buffer.isPaused && !buffer.isOver) {
        sent += 1
        buffer.push(Buffer.alloc(1000, sent))
      }
      if (sent === pieces) buffer.finish()
    }
    const flow: ByteFlow = {
      pipeTo: (sink) => buffer.open(sink),
      pause: () => {
        buffer.isPaused = true
      },
      resume: () => {
        buffer.isPaused = false
        run()
      },
      close: (problem) => {
        isClosed = true
        buffer.finish(problem ?? new Error('left'))
      },
      onClosed: (listener) => buffer.onClosed(listener),
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

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventReader, readEvents } from './event-reader.ts'

const stream =
  ': hello\n\ndata: {"seq":1}\n\nevent: x\nid: 7\ndata: one\ndata: two\n\r\ndata:{"é":"漢"}\r\n\r\n: ping\n\ndata: last\n\n'
const expected = [
  { name: 'message', id: undefined, data: '{"seq":1}' },
  { name: 'x', id: '7', data: 'one\ntwo' },
  { name: 'message', id: undefined, data: '{"é":"漢"}' },
  { name: 'message', id: undefined, data: 'last' },
]

describe('reading server-sent events', () => {
  it('finds the same events wherever the text is split', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 30 }), (cuts) => {
        const offsets = [0, ...cuts.sort((a, b) => a - b), stream.length]
        const read = createEventReader()
        const found = offsets.slice(1).flatMap((end, index) => read(stream.slice(offsets[index], end)))
        expect(found).toEqual(expected)
      }),
    )
  })

  it('does not return an incomplete event', () => {
    const read = createEventReader()
    expect(read('data: half')).toEqual([])
    expect(read('\n')).toEqual([])
    expect(read('\n')).toMatchObject([{ data: 'half' }])
  })

  it('reports every sign of life, including comments', async () => {
    let signs = 0
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (source) => {
        for (const text of [': ping\n\n', 'data: a\n\n']) source.enqueue(new TextEncoder().encode(text))
        source.close()
      },
    })
    const onPiece = () => {
      signs += 1
    }
    for await (const { data } of readEvents(body, onPiece)) expect(data).toBe('a')
    expect(signs).toBe(2)
  })

  it('closes the connection when its reader stops early', async () => {
    const closed = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (source) => source.enqueue(new TextEncoder().encode('data: a\n\n')),
      cancel: () => closed.resolve(),
    })
    for await (const { data } of readEvents(body)) if (data === 'a') break
    await closed.promise
  })
})

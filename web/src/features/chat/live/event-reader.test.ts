import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventReader } from './event-reader.ts'

const stream =
  ': hello\n\ndata: {"seq":1}\n\nevent: x\ndata: one\ndata: two\n\r\ndata:{"é":"漢"}\r\n\r\n: ping\n\ndata: last\n\n'
const expected = ['{"seq":1}', 'one\ntwo', '{"é":"漢"}', 'last']

describe('reading server-sent events', () => {
  it('finds the same events however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 30 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length]
        const read = createEventReader()
        const found = places.slice(1).flatMap((end, index) => read(stream.slice(places[index], end)))
        expect(found).toEqual(expected)
      }),
    )
  })

  it('does not hand out an event that has not ended', () => {
    const read = createEventReader()
    expect(read('data: half')).toEqual([])
    expect(read('\n')).toEqual([])
    expect(read('\n')).toEqual(['half'])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RecordCut, RecordSplitter } from './split-records.ts'

const split = (chunks: Iterable<Buffer>, maxRecordBytes = 1_000_000): RecordCut[] => {
  const splitter = new RecordSplitter({ maxRecordBytes })
  const cuts: RecordCut[] = []
  for (const chunk of chunks) cuts.push(...splitter.push(chunk))
  return [...cuts, ...splitter.end()]
}
const valuesOf = (cuts: RecordCut[]): unknown[] =>
  cuts.map((cut) => (cut.kind === 'record' ? JSON.parse(cut.bytes.toString()) : cut.kind))

describe('splitting an export into records', () => {
  it('finds every record, however the file is laid out and wherever it is cut', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue())
    const layout = fc.constantFrom(
      (records: unknown[]) => JSON.stringify(records),
      (records: unknown[]) => JSON.stringify(records, null, 3),
      (records: unknown[]) => `{ "chats" : ${JSON.stringify(records)} }\n`,
      (records: unknown[]) => records.map((one) => JSON.stringify(one)).join('\r\n'),
    )
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1 }),
        layout,
        fc.integer({ min: 1, max: 50 }),
        (records, write, size) => {
          const bytes = Buffer.from(write(records))
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.subarray(at * size, (at + 1) * size),
          )
          // As texts: comparing a hundred deep objects takes seconds.
          expect(JSON.stringify(valuesOf(split(chunks)))).toBe(JSON.stringify(records))
        },
      ),
    )
  })

  it('passes over a record that is too large, and goes on after it', () => {
    const bytes = Buffer.from(JSON.stringify([{ a: 1 }, { a: 'x'.repeat(1000) }, { a: 2 }]))
    expect(valuesOf(split([bytes], 100))).toEqual([{ a: 1 }, 'too_large', { a: 2 }])
  })

  it('stops at what is no JSON, and says when the file ends too early', () => {
    expect(valuesOf(split([Buffer.from('[{"a":1}, oops, {"a":2}]')]))).toEqual([{ a: 1 }, 'not_json'])
    expect(valuesOf(split([Buffer.from('[{"a":1},{"a":')]))).toEqual([{ a: 1 }, 'truncated'])
  })

  it('holds no more than one record of a file, however large both are', () => {
    const piece = Buffer.from(`{"text":"${'0123456789'.repeat(10_000)}"},`)
    const huge = Buffer.from('x'.repeat(100_000))
    const splitter = new RecordSplitter({ maxRecordBytes: 1_000_000 })
    let records = 0
    let most = 0
    const feed = (chunk: Buffer): void => {
      for (const cut of splitter.push(chunk)) records += cut.kind === 'record' ? 1 : 0
      most = Math.max(most, splitter.heldBytes)
    }
    // 20 MB of small records.
    for (let number = 0; number < 200; number += 1) feed(piece)
    // One record of 20 MB, of which nothing is kept.
    feed(Buffer.from('{"text":"'))
    for (let number = 0; number < 200; number += 1) feed(huge)
    feed(Buffer.from('"}'))
    expect(records).toBe(200)
    expect(most).toBeLessThanOrEqual(1_000_000)
  })
})

import { describe, expect, it } from 'vitest'
import { contextOf, formatTraceparent, parseTraceparent, spanIdOf, traceIdOf } from './trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('traceparent', () => {
  it('is read and written', () => {
    for (const flags of ['00', '01'])
      expect(formatTraceparent(parseTraceparent(`00-${traceId}-${spanId}-${flags}`) as never)).toBe(
        `00-${traceId}-${spanId}-${flags}`,
      )
    expect(parseTraceparent(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, isSampled: true })
  })

  it.each([
    undefined,
    '',
    'none',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `01-${traceId}-${spanId}-01-${'x'.repeat(300)}`,
  ])('is none: %s', (header) => expect(parseTraceparent(header)).toBeUndefined())
})

describe('what has a UUID', () => {
  it('has a trace and a span that everybody knows', () => {
    const id = '0190f3c2-7a4e-7c1b-8d22-0123456789ab'
    expect(contextOf(id)).toEqual({
      traceId: '0190f3c27a4e7c1b8d220123456789ab',
      spanId: '8d220123456789ab',
      isSampled: true,
    })
  })

  it('has none where the id is all zeros or no UUID', () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'sub', '']) {
      expect(traceIdOf(id)).toBeUndefined()
      expect(contextOf(id)).toBeUndefined()
    }
    expect(spanIdOf('0190f3c2-7a4e-7c1b-0000-000000000000')).toBeUndefined()
  })
})

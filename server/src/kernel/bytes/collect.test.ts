import { expect, it } from 'vitest'
import { ByteCollector } from './collect.ts'

it('joins any number of pieces in order, and gives a single one as it is', () => {
  const single = Buffer.from('one')
  const one = new ByteCollector(10)
  one.add(single)
  expect(one.whole()).toBe(single)

  for (const count of [0, 2, 1023, 1024, 1025, 5000]) {
    const many = new ByteCollector(count)
    for (let at = 0; at < count; at += 1) expect(many.add(Buffer.from([at % 251]))).toBe(true)
    expect([...many.whole()]).toEqual(Array.from({ length: count }, (_, at) => at % 251))
    expect(many.add(Buffer.from('x'))).toBe(false)
  }
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonProgress } from './json-progress.ts'

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

it('knows after each piece whether an object is whole', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  const cuts = fc.array(fc.nat({ max: 50 }), { maxLength: 10 })
  fc.assert(
    fc.property(object, fc.constantFrom(0, 1), cuts, (value, space, lengths) => {
      const text = `${JSON.stringify(value, null, space)} \n`
      const progress = new JsonProgress()
      let from = 0
      for (const length of [...lengths, text.length]) {
        progress.add(text.slice(from, from + length))
        from += length
        expect(progress.isWhole).toBe(isObject(text.slice(0, from)))
      }
      progress.add('{')
      expect(progress.isWhole).toBe(false)
    }),
  )
})

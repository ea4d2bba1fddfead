import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutBlocks } from './without-blocks.ts'

it('leaves out what a pattern would leave out', () => {
  const text = fc.array(fc.constantFrom('<think>', '</think>', 'a', '\n')).map((parts) => parts.join(''))
  const check = (given: string): void => {
    expect(withoutBlocks(given, '<think>', '</think>')).toBe(given.replace(/<think>[\s\S]*?<\/think>/g, ''))
  }
  fc.assert(fc.property(text, check))
})

it('looks for an end once, however many beginnings there are', () => {
  const text = '<details>'.repeat(500_000)
  expect(withoutBlocks(text, '<details', '</details>')).toBe(text)
})

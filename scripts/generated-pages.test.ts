import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generatedPages } from './generated-pages.ts'

it.each(generatedPages())('$path is what `npm run docs` would write now', ({ path, text }) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text)
})

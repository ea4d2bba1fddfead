/** The colors of the theme: every text can be read on every ground, in both schemes. Needs no browser. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Color, contrastOf } from './contrast.ts'

const css = readFileSync(new URL('../../../web/src/theme.css', import.meta.url), 'utf8')

const channel = (digits = '') => Number.parseInt(digits, 16)

/** The tokens of one scheme that are plain colors. */
const tokensOf = (selector: string): Map<string, Color> => {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('\n}', start))
  const found = block.matchAll(/--([\w-]+): #([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2});/g)
  return new Map(
    [...found].map(([, name = '', red, green, blue]) => [name, [channel(red), channel(green), channel(blue), 1]]),
  )
}

const grounds = ['ground', 'desk', 'surface', 'raised', 'sunken']
const washes = ['seal-wash', 'ok-wash', 'warn-wash', 'bad-wash']
const texts: [text: string, on: string[]][] = [
  ['ink', [...grounds, ...washes]],
  ['soft', [...grounds, ...washes]],
  ['faint', grounds],
  ['seal-text', [...grounds, 'seal-wash']],
  ['ok', [...grounds, 'ok-wash']],
  ['warn', [...grounds, 'warn-wash']],
  ['bad', [...grounds, 'bad-wash']],
  ['on-seal', ['seal', 'seal-deep']],
]

describe.each([
  ['light', ':root'],
  ['dark', ':root[data-theme="dark"]'],
])('in the %s scheme', (_scheme, selector) => {
  const tokens = tokensOf(selector)
  const colorOf = (name: string): Color => {
    const color = tokens.get(name)
    if (color === undefined) throw new Error(`The theme has no color ${name}.`)
    return color
  }

  it.each(texts)('%s can be read', (text, on) => {
    const unreadable = on.filter((ground) => contrastOf(colorOf(text), colorOf(ground)) < 4.5)
    expect(unreadable).toEqual([])
  })

  it('what every element has as a number is still the line, and a quarter of the seal', () => {
    const mixed = (name: string, share: number) => `rgb(${colorOf(name).slice(0, 3).join(' ')} / ${share})`
    const line = mixed('ink', selector === ':root' ? 0.12 : 0.13)
    for (const declared of [`--line: ${line};`, `border-color: ${line};`, `background: ${mixed('seal', 0.24)};`])
      expect(css.split(declared), declared).toHaveLength(2)
  })

  it('white can be read on a red button', () => {
    expect(contrastOf([255, 255, 255, 1], colorOf('bad-fill'))).toBeGreaterThanOrEqual(4.5)
  })
})

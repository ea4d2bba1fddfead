/** The colors of the theme: every text can be read on every ground, in both schemes. Needs no browser. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../../web/src/theme.css', import.meta.url), 'utf8')

/** The tokens of one scheme that are plain colors. */
const tokensOf = (selector: string): Map<string, string> => {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('\n}', start))
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [name, color]))
}

/** As WCAG 2 defines them. */
const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrastOf = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
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
  const colorOf = (name: string): string => {
    const color = tokens.get(name)
    if (color === undefined) throw new Error(`The theme has no color ${name}.`)
    return color
  }

  it.each(texts)('%s can be read', (text, on) => {
    const unreadable = on.filter((ground) => contrastOf(colorOf(text), colorOf(ground)) < 4.5)
    expect(unreadable).toEqual([])
  })

  it('white can be read on a red button', () => {
    expect(contrastOf('#ffffff', colorOf('bad-fill'))).toBeGreaterThanOrEqual(4.5)
  })
})

import { expect, it } from 'vitest'
import { printable } from '../cli/printable.ts'

it.each([
  ['a name\u001b]0;another title\u0007', 'a name\ufffd]0;another title\ufffd'],
  ['\u009b2Jgone', '\ufffd2Jgone'],
  ['over\rwritten', 'over\ufffdwritten'],
  ['two\r\nlines\n\tand 漢字 🎉', 'two\nlines\n\tand 漢字 🎉'],
])('%j commands no terminal', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

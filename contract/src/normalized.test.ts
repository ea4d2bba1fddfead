import { expect, it } from 'vitest'
import { normalized } from './normalized.ts'

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
const texts = [
  '',
  'Ana',
  'e\u0301 o\u0323\u0302 q\u0323\u0307',
  '\u1112\u1161\u11ab',
  'ｶﾞ ﬁ Å',
  '👩🏽‍🚀'.repeat(100),
  `a${'\u0345'.repeat(30)}${'\u0327'.repeat(30)}b`,
  '\ud800x',
]

it.each(forms)('%s of texts that people write is what Unicode says', (form) => {
  for (const text of texts) expect(normalized(text, form)).toBe(text.normalize(form))
  const beside = `${texts.join(' ')} a${'\u0301'.repeat(70)} ${texts.join(' ')}`
  expect(normalized(beside, form)).toBe(beside.normalize(form))
})

it.each(forms)('%s of endless marks loses none of them', (form) => {
  for (const marks of ['\u0345\u0327', '\u0345', '\uff9e\u0345'])
    expect([...normalized(`a${marks.repeat(1000)}`, form)].length).toBeGreaterThanOrEqual(1000)
})

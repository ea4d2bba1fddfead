/**
 * Models write formulas in four ways; the renderer reads one of them, the double dollar. Code is left alone, and so is
 * money: a single dollar opens a formula only before a character and closes it only after one and not before a digit.
 */
import { replaceBetween } from '../../../lib/text/replace-between.ts'

const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/

const display = { opening: '\\[', closing: '\\]' }
const inline = { opening: '\\(', closing: '\\)', inOneLine: true }
const dollar = /(?<![\\$])\$(?![\s$])([^$\n]*?[^\s\\$])\$(?![\d$])/g
const formula = /\$\$[\s\S]+?\$\$/g

const two = '$$'

const mark = (text: string) =>
  replaceBetween(
    replaceBetween(text, display, (body) => `\n${two}\n${body.trim()}\n${two}\n`),
    inline,
    (body) => `${two}${body.trim()}${two}`,
  ).replace(dollar, (_, body: string) => `${two}${body}${two}`)

/** Splitting on a captured group puts code at the odd indexes. */
const outsideCode = (text: string, change: (part: string, isLast: boolean) => string): string =>
  text
    .split(code)
    .map((part, index, parts) => (index % 2 === 1 ? part : change(part, index === parts.length - 1)))
    .join('')

/** The start of a formula that isn't closed yet. A dollar before a digit is money. */
const opening = /\\\[|\\\(|\\$|\$\$|(?<!\\)\$(?![\s\d$])[^\n]*$/
/** A formula longer than this is more likely text that only looks like the start of one. */
const longestOpen = 600

function withoutOpenFormula(text: string): string {
  const closed = text.replace(formula, (whole) => ' '.repeat(whole.length))
  const from = Math.max(0, text.length - longestOpen)
  const start = closed.slice(from).search(opening)
  return start < 0 ? text : text.slice(0, from + start)
}

const mayHaveMath = (text: string): boolean => /\$|\\/.test(text)

/** While a reply streams in, a formula is held back until it is closed, so its source is never shown. */
export const markMath = (text: string, isStreaming = false): string =>
  mayHaveMath(text)
    ? outsideCode(text, (part, isLast) => (isStreaming && isLast ? withoutOpenFormula(mark(part)) : mark(part)))
    : text

/** Shown in place of each formula while the library that renders them loads. */
export const hideFormulas = (marked: string): string => outsideCode(marked, (part) => part.replace(formula, '…'))

export const hasFormula = (marked: string): boolean => hideFormulas(marked) !== marked

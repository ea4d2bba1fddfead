/**
 * Models write formulas in four ways; the renderer reads one of them, the double dollar. Code is left alone, and so is
 * money: a single dollar opens a formula only before a character and closes it only after one and not before a digit.
 */
const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/

const display = /\\\[([\s\S]+?)\\\]/g
const inline = /\\\((.+?)\\\)/g
const dollar = /(?<![\\$])\$(?![\s$])([^$\n]*?[^\s\\$])\$(?![\d$])/g

const two = '$$'

const mark = (text: string) =>
  text
    .replace(display, (_, formula: string) => `\n${two}\n${formula.trim()}\n${two}\n`)
    .replace(inline, (_, formula: string) => `${two}${formula.trim()}${two}`)
    .replace(dollar, (_, formula: string) => `${two}${formula}${two}`)

export const hasMath = (text: string): boolean => /\$|\\\(|\\\[/.test(text)

/** Splitting on a captured group puts code at the odd indexes. */
export const markMath = (text: string): string =>
  hasMath(text)
    ? text
        .split(code)
        .map((part, index) => (index % 2 === 1 ? part : mark(part)))
        .join('')
    : text

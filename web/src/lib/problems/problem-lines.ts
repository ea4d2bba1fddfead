/** The problems of a rejected request as sentences that say where each is, for places that show no fields. Pure. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import { missingText, missingValue, problemText } from './problem-text.ts'

/** The part of the request that stands in front of the value's path. */
const parts = new Set<string | number>(['body', 'query', 'params', 'header'])

/** `expiresAt` → `expires at` */
const words = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** `['body', 'recipients', 2, 'email']` → `Recipients 3, email` */
const placeOf = ([first = '', ...rest]: FieldProblem['loc']): string => {
  const path = parts.has(first) ? rest : [first, ...rest]
  const place = path
    .map((part) => (typeof part === 'number' ? ` ${part + 1}` : `, ${words(part)}`))
    .join('')
    .replace(/^[, ]+/, '')
  return place.charAt(0).toUpperCase() + place.slice(1)
}

/** A file's problems come as a list of sentences. */
const linesOf = ({ loc, msg }: FieldProblem): string[] => {
  const place = placeOf(loc)
  const text = problemText(msg)
  if (place === 'File') return text.split(/(?<=\.) (?=\p{Lu})/u)
  if (place === '') return [text]
  return [text === missingValue && !/[\d,]/.test(place) ? missingText(place) : `${place}: ${text}`]
}

export const problemLines = (problems: readonly FieldProblem[]): string[] => [...new Set(problems.flatMap(linesOf))]

const most = 3

/** For one line of text: the first few, and how many more there are. */
export function problemSentence(problems: readonly FieldProblem[]): string {
  const lines = problemLines(problems)
  if (lines.length === 0) return 'Something in this request isn’t valid.'
  const more = lines.length - most
  return [...lines.slice(0, most), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

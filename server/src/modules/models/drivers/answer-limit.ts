/**
 * The largest answer that a request allows, as any of the servers behind us may read it: each has its own name for the
 * limit, reads it in its own place, and of two names nobody knows which one counts. So the largest does. Pure.
 */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { foldName } from './fold-name.ts'

type Fields = Record<string, unknown>

export interface AnswerLimit {
  /** For each choice; undefined where the request sets none, or lifts it. */
  perChoice: number | undefined
  /** Tokens for thinking alone. */
  thinking: number
  /** Answers to the same request, all of which are paid for. */
  choices: number
}

const limitNames = new Set([
  'maxtokens',
  'maxcompletiontokens',
  'maxoutputtokens',
  'maxnewtokens',
  'maxtokenstosample',
  'maxlength',
  'maxgenlen',
  'numpredict',
  'npredict',
])
const thinkingNames = new Set(['budgettokens', 'thinkingbudget', 'thinkingbudgettokens', 'thinkingtokenbudget'])
const choicesNames = new Set(['n', 'bestof', 'numreturnsequences', 'candidatecount', 'numcandidates'])
/** What is said and what is described, as opposed to how to answer. */
const contents = new Set(['messages', 'prompt', 'input', 'tools', 'functions', 'metadata', 'responseformat', 'format'])

const plain = (name: string): string => foldName(name).replaceAll(/[_-]/g, '')

const mostTokens = 1_000_000_000_000

/** Servers in Python read `"100"` as 100. */
const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && !Number.isNaN(number) ? Math.min(Math.ceil(number), mostTokens) : undefined
}

/** The request's own fields, and those of the objects in it, such as `options` and `thinking`. */
const placesIn = (body: Fields): Fields[] => {
  const nested = Object.entries(body).filter(([name, value]) => isJsonObject(value) && !contents.has(plain(name)))
  return [body, ...nested.map(([, value]) => value as Fields)]
}

export const answerLimitOf = (body: Fields): AnswerLimit => {
  const limits: number[] = []
  let thinking = 0
  let choices = 1
  for (const place of placesIn(body))
    for (const [name, value] of Object.entries(place)) {
      const number = numberIn(value)
      if (number === undefined) continue
      const known = plain(name)
      if (limitNames.has(known)) limits.push(number)
      if (thinkingNames.has(known)) thinking = Math.max(thinking, number)
      if (choicesNames.has(known)) choices = Math.max(choices, number)
    }
  // Zero and less lift the limit, as servers read them.
  const isOpen = limits.length === 0 || limits.some((limit) => limit <= 0)
  const perChoice = isOpen ? undefined : Math.max(...limits, thinking)
  return { perChoice, thinking, choices: choices * promptsIn(body) }
}

/** A completion of texts answers each of them. A list of numbers is one text. */
const promptsIn = ({ prompt }: Fields): number =>
  Array.isArray(prompt) && prompt.length > 1 && typeof prompt[0] !== 'number' ? prompt.length : 1

/** The same request with no limit above this one; the same object where none is. A request without a limit stays so. */
export const withAnswerLimit = (body: Fields, most: number): Fields => {
  const isAbove = (name: string, value: unknown): boolean => {
    const number = numberIn(value)
    if (number === undefined) return false
    const known = plain(name)
    return (limitNames.has(known) && (number > most || number <= 0)) || (thinkingNames.has(known) && number > most)
  }
  const lowered = (fields: Fields): Fields =>
    Object.entries(fields).some(([name, value]) => isAbove(name, value))
      ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, isAbove(name, value) ? most : value]))
      : fields
  let changed = lowered(body)
  for (const [name, value] of Object.entries(changed)) {
    if (!isJsonObject(value) || contents.has(plain(name))) continue
    const inside = lowered(value)
    if (inside !== value) changed = { ...changed, [name]: inside }
  }
  return changed
}

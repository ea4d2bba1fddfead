/** Pure. Checks a value before it is sent, so a mistake is named in the recipient's language. The server checks again. */
import type { FieldRules, FieldType, FieldValue } from '@chancery/contract/signing/signing.ts'
import type { Texts } from '../texts/en.ts'
import { isFilled } from './steps.ts'

type Checked = FieldRules & { type: FieldType; required: boolean }

export function problemOf(field: Checked, value: FieldValue | null, { problem }: Texts): string | undefined {
  if (!isFilled(value)) return field.required ? missing(field.type, problem) : undefined
  return typeof value === 'string' ? problemOfText(field, value.trim(), problem) : undefined
}

function missing(type: FieldType, problem: Texts['problem']): string {
  if (type === 'CHECKBOX') return problem.tick
  if (type === 'RADIO' || type === 'DROPDOWN') return problem.choose
  return type === 'DATE' ? problem.date : problem.required
}

function problemOfText(field: Checked, text: string, problem: Texts['problem']): string | undefined {
  if (field.type === 'NUMBER') return problemOfNumber(field, text, problem)
  if (field.type === 'EMAIL') return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : problem.email
  if (field.type === 'DATE') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? undefined : problem.date
  if (field.type !== 'TEXT') return undefined
  if (field.maxLength !== undefined && [...text].length > field.maxLength) return problem.tooLong(field.maxLength)
  return field.pattern === undefined || fitsPattern(field.pattern, text) ? undefined : problem.pattern(field.pattern)
}

function problemOfNumber({ min, max }: Checked, text: string, problem: Texts['problem']): string | undefined {
  if (!/^-?\d{1,15}(\.\d{1,10})?$/.test(text)) return problem.number
  if (min !== undefined && Number(text) < min) return problem.atLeast(min)
  return max !== undefined && Number(text) > max ? problem.atMost(max) : undefined
}

const marks: Record<string, RegExp> = { '#': /^\d$/, A: /^\p{L}$/u, '*': /^[\p{L}\d]$/u }

/** `#` is a digit, `A` a letter, `*` either; everything else is itself. */
function fitsPattern(pattern: string, text: string): boolean {
  const [wanted, given] = [[...pattern], [...text]]
  if (wanted.length !== given.length) return false
  return wanted.every((mark, index) => marks[mark]?.test(given[index] ?? '') ?? mark === given[index])
}

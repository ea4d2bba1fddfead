/** Pure. Everything that is wrong with the fields of a draft, field by field. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { FieldInput } from '@chancery/contract/signing/documents.ts'
import { type FieldRules, isMark } from '@chancery/contract/signing/signing.ts'
import { onlyTheService, onlyTheSigner } from './check-prefilled.ts'
import { checkValue, type Drawing } from './check-value.ts'
import { boxOf } from './field-box.ts'

export interface Surroundings {
  recipientIds: ReadonlySet<string>
  files: readonly { id: string; pageCount: number; pages: readonly { width: number; height: number }[] }[]
  drawing: Drawing
}

interface Flaw {
  path: string
  msg: string
  type: string
}

/** Fractions come from screens: what rounding adds at the edge is no error. */
const tolerance = 1e-6

export const rulesOf = ({ type, options, min, max, maxLength, pattern, signingDay }: FieldInput): FieldRules => ({
  ...(options && { options }),
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
  ...(maxLength !== undefined && { maxLength }),
  ...(pattern !== undefined && { pattern }),
  ...(type === 'DATE' && signingDay !== undefined && { signingDay }),
})

export const checkFields = (fields: readonly FieldInput[], around: Surroundings): FieldProblem[] =>
  fields.flatMap((field, index) =>
    [...flawsOfPlace(field, around), ...flawsOfRules(field), ...flawsOfValue(field, around)].map(
      ({ path, msg, type }) => ({ loc: ['body', index, path], msg, type }),
    ),
  )

const flawsOfPlace = (field: FieldInput, { recipientIds, files }: Surroundings): Flaw[] => {
  const flaws: Flaw[] = []
  const file = field.fileId === undefined ? files[0] : files.find(({ id }) => id === field.fileId)
  if (!recipientIds.has(field.recipientId))
    flaws.push({ path: 'recipientId', msg: 'This document has no such recipient.', type: 'unknown_recipient' })
  if (!file) flaws.push({ path: 'fileId', msg: 'This document has no such file.', type: 'unknown_file' })
  else if (field.page > file.pageCount)
    flaws.push({ path: 'page', msg: `The file has ${file.pageCount} pages.`, type: 'page_out_of_range' })
  if (field.width <= 0 || field.x + field.width > 1 + tolerance)
    flaws.push({ path: 'width', msg: 'The field must be inside the page.', type: 'out_of_page' })
  if (field.height <= 0 || field.y + field.height > 1 + tolerance)
    flaws.push({ path: 'height', msg: 'The field must be inside the page.', type: 'out_of_page' })
  return flaws
}

const flawsOfRules = ({ type, options = [], min, max }: FieldInput): Flaw[] => {
  const isChoice = type === 'RADIO' || type === 'DROPDOWN'
  if (isChoice && options.length === 0)
    return [{ path: 'options', msg: 'Add at least one option.', type: 'options_missing' }]
  if (new Set(options).size < options.length)
    return [{ path: 'options', msg: 'Each option must be different.', type: 'options_not_unique' }]
  if (min !== undefined && max !== undefined && min > max)
    return [{ path: 'min', msg: 'The minimum is larger than the maximum.', type: 'range_empty' }]
  return []
}

const flawsOfMark = ({ value = null, readOnly }: FieldInput): Flaw[] => [
  ...(value === null ? [] : [{ path: 'value', msg: onlyTheSigner, type: 'signature_prefilled' }]),
  ...(readOnly ? [{ path: 'readOnly', msg: "A signature can't be locked.", type: 'signature_locked' }] : []),
]

const flawsOfValue = (field: FieldInput, { drawing, files }: Surroundings): Flaw[] => {
  const drawn = [field.label ?? '', ...(field.options ?? [])].flatMap((text) => drawing.undrawable(text))
  if (drawn.length > 0)
    return [{ path: 'options', msg: `These characters can't be printed: ${drawn.join(' ')}`, type: 'undrawable' }]
  if (isMark(field.type)) return flawsOfMark(field)
  const hasValue = (field.value ?? null) !== null
  if (hasValue && field.type === 'DATE' && field.signingDay === true)
    return [{ path: 'value', msg: onlyTheService, type: 'signing_day_prefilled' }]
  if (field.value === undefined || field.value === null)
    return field.readOnly && field.required
      ? [{ path: 'value', msg: 'A field that nobody can fill in needs a value.', type: 'value_missing' }]
      : []
  const box = boxOf(files, { ...field, fileId: field.fileId ?? files[0]?.id ?? '' })
  const checked = checkValue({ type: field.type, rules: rulesOf(field), box }, field.value, drawing)
  return 'problem' in checked ? [{ path: 'value', msg: checked.problem, type: checked.type ?? 'invalid_value' }] : []
}

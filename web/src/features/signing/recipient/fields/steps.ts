/** Pure. Which fields a recipient goes through, in reading order, and which one comes next. */
import type { FieldType, FieldValue } from '@chancery/contract/signing/signing.ts'

export interface StepField {
  id: string
  fileId: string
  type: FieldType
  page: number
  x: number
  y: number
  height: number
  required: boolean
  readOnly: boolean
  isMine: boolean
  /** The service fills it in when the recipient signs. */
  signingDay?: boolean | undefined
  value: FieldValue | null
}

/** Fields whose middles are this close, as a part of the page, stand in one line. */
const sameLine = 0.012

const middleOf = ({ y, height }: StepField) => y + height / 2

/** In the order of files and pages, then from top to bottom, and from left to right in one line. */
export function listSteps<Field extends StepField>(fields: readonly Field[], fileIds: readonly string[]): Field[] {
  const own = fields.filter(({ isMine, readOnly, signingDay = false }) => isMine && !readOnly && !signingDay)
  return own.toSorted((one, other) => {
    const file = fileIds.indexOf(one.fileId) - fileIds.indexOf(other.fileId)
    if (file !== 0) return file
    if (one.page !== other.page) return one.page - other.page
    const down = middleOf(one) - middleOf(other)
    return Math.abs(down) > sameLine ? down : one.x - other.x
  })
}

/** An empty text and an unticked box are not filled in; the server has the same rule. */
export const isFilled = (value: FieldValue | null): boolean => value !== null && value !== '' && value !== false

/** The first required field that is still empty, looking onward from `after` and then from the start. */
export function nextMissing(steps: readonly StepField[], after = -1): number | undefined {
  const missing = steps.flatMap(({ required, value }, index) => (required && !isFilled(value) ? [index] : []))
  return missing.find((index) => index > after) ?? missing[0]
}

/** “Next” leads to the next empty field, optional ones too; then back to what is missing; then to the end. */
export function stepAfter(steps: readonly StepField[], index: number): number | undefined {
  const next = steps.findIndex(({ value }, position) => position > index && !isFilled(value))
  return next === -1 ? nextMissing(steps, index) : next
}

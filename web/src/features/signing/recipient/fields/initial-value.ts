/** Pure. What a field starts with: what it holds, what we know about the recipient, or their earlier signature. */
import type { FieldValue, Mark } from '@chancery/contract/signing/signing.ts'
import type { StepField } from './steps.ts'

type Field = Pick<StepField, 'id' | 'type' | 'value'>

export function initialValue({ type, value }: Field, person: { name: string; email: string }): FieldValue | null {
  if (value !== null) return value
  if (type === 'NAME') return person.name
  if (type === 'EMAIL') return person.email
  return type === 'CHECKBOX' ? false : null
}

const markIn = ({ value }: Field): Mark | undefined => (typeof value === 'object' && value !== null ? value : undefined)

/** The other fields of the same type. */
export const sameKind = <Each extends Field>(fields: readonly Each[], { id, type }: Field): Each[] =>
  fields.filter((other) => other.type === type && other.id !== id)

export const initialMark = (field: Field, fields: readonly Field[]): Mark | undefined =>
  markIn(field) ??
  sameKind(fields, field)
    .map(markIn)
    .find((mark) => mark !== undefined)

/** A field's name: the sender's, or its type in the recipient's language. */
import type { FieldType } from '@chancery/contract/signing/signing.ts'
import { useSigning } from '../signing-context.ts'

export function useFieldName(): (field: { label: string | null; type: FieldType }) => string {
  const { texts } = useSigning()
  return ({ label, type }) => label ?? texts.field.names[type]
}

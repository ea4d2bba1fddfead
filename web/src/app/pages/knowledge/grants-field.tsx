/** The form field for read and write access to a collection. */
import { usePerson } from '#data/viewer.ts'
import { GrantsEditor } from '#features/principals/grants-editor.tsx'
import type { GrantsField } from '#lib/form/grants-field.ts'

/** Someone without an organization has no one to share with, so the field is hidden. */
const aloneField: GrantsField = () => null
const sharedField: GrantsField = (field) => (
  <GrantsEditor
    circle="organization"
    canOpenToAll={false}
    canGrantWrite
    nobody="Only you, until you add someone."
    {...field}
  />
)

export const useGrantsField = (): GrantsField => (usePerson().organizationId === null ? aloneField : sharedField)

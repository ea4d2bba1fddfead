/** Creates a collection or changes its name, description and access. */
import { type Collection, CollectionBody } from '@chancery/contract/files/knowledge.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import type { GrantsField } from '#lib/form/grants-field.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSaveCollection } from '../api.ts'

interface CollectionDialogProps {
  /** Undefined means closed. */
  open: Collection | 'new' | undefined
  grantsField: GrantsField
  onSaved: (id: string) => void
  onClose: () => void
}

export const CollectionDialog = ({ open, onClose, ...rest }: CollectionDialogProps) => (
  <Dialog
    title={open === 'new' ? 'New collection' : 'Edit collection'}
    isOpen={open !== undefined}
    isWide={open !== undefined}
    onClose={onClose}
  >
    {open && <CollectionForm collection={open === 'new' ? undefined : open} onClose={onClose} {...rest} />}
  </Dialog>
)

interface CollectionFormProps extends Omit<CollectionDialogProps, 'open'> {
  collection: Collection | undefined
}

function CollectionForm({ collection, grantsField, onSaved, onClose }: CollectionFormProps) {
  const [grants, setGrants] = useState(collection?.access_grants === undefined ? [] : collection.access_grants)
  const save = useSaveCollection(collection?.id)
  const form = useForm({
    schema: CollectionBody,
    body: ({ name = '', description = '' }) => ({ name, description, access_grants: grants }),
    send: async (body) => {
      const { id } = await save(body)
      onSaved(id)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput defaultValue={collection?.name} placeholder="Employee handbook" autoComplete="off" />
      </Field>
      <Field
        label="Description"
        name="description"
        isOptional
        problem={form.problems.description}
        help="What the files are about. Colleagues see it in the list."
      >
        <TextArea rows={3} defaultValue={collection?.description} />
      </Field>
      {grantsField({ value: grants, onChange: setGrants })}
      <DialogFormActions form={form} onCancel={onClose}>
        {collection ? 'Save' : 'Create collection'}
      </DialogFormActions>
    </form>
  )
}

/** Creates a collection or changes its name, description and access. */
import { type Collection, CollectionBody } from '@chancery/contract/knowledge.ts'
import { useState } from 'react'
import { useForm } from '#lib/form.ts'
import type { GrantsField } from '#lib/grants-field.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea, TextInput } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
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
      <FormFailure error={form.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isPending={form.isPending}>
          {collection ? 'Save' : 'Create collection'}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Creates or edits a space: its name and members. */
import { SpaceBody } from '@chancery/contract/workflows/catalogs.ts'
import { type ReactNode, useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { type SpaceItem, useSaveSpace, useSpaces } from './api.ts'

/** People belong to another feature; the page connects the two. */
export type MembersField = (props: { value: readonly string[]; onChange: (value: string[]) => void }) => ReactNode

interface SpaceDialogProps {
  /** The space to edit; `new` creates one; undefined means closed. */
  open: string | undefined
  /** Absent for people without an organization, who have nobody to add. */
  membersField: MembersField | undefined
  onClose: () => void
}

export function SpaceDialog({ open, membersField, onClose }: SpaceDialogProps) {
  const { data } = useSpaces()
  const space = data?.items.find(({ id }) => id === open)
  return (
    <Dialog
      title={space ? 'Edit space' : 'New space'}
      isOpen={open === 'new' || space !== undefined}
      onClose={onClose}
      isSticky
    >
      <SpaceForm current={space} membersField={membersField} onClose={onClose} />
    </Dialog>
  )
}

const audiences = [
  { value: 'all', label: 'Everyone in the organization' },
  { value: 'some', label: 'Members only' },
] as const

interface SpaceFormProps extends Pick<SpaceDialogProps, 'membersField' | 'onClose'> {
  current: SpaceItem | undefined
}

function SpaceForm({ current, membersField: Members, onClose }: SpaceFormProps) {
  const save = useSaveSpace(current?.id)
  const [audience, setAudience] = useState<'all' | 'some'>(current?.member_ids.length ? 'some' : 'all')
  const [members, setMembers] = useState(current?.member_ids ?? [])
  const form = useForm({
    schema: SpaceBody,
    body: ({ name, description = '' }) => ({
      name,
      description: description.trim(),
      ...(Members && { member_ids: audience === 'all' ? [] : members }),
    }),
    fieldOfCode: { member_not_found: 'member_ids' },
    send: async (body) => {
      const { name } = await save(body)
      toast.done(`Space “${name}” saved`)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="off" defaultValue={current?.name} required />
      </Field>
      <Field label="Description" name="description" isOptional problem={form.problems.description}>
        <TextArea rows={2} defaultValue={current?.description} />
      </Field>
      {Members && (
        <fieldset className="flex min-w-0 flex-col gap-3">
          <legend className="mb-1.5 font-medium text-sm">Visible to</legend>
          <Segmented legend="Visible to" name="audience" value={audience} options={audiences} onChange={setAudience} />
          {audience === 'some' && <Members value={members} onChange={setMembers} />}
          {form.problems.member_ids !== undefined && <p className="text-bad text-sm">{form.problems.member_ids}</p>}
        </fieldset>
      )}
      <DialogFormActions form={form} onCancel={onClose}>
        {current ? 'Save space' : 'Create space'}
      </DialogFormActions>
    </form>
  )
}

/** Creates or edits a limit. Its subject can't be changed. */
import { LimitBody, LimitPatch, type UsageLimit } from '@chancery/contract/models/usage.ts'
import { type ReactNode, useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useLimits, useSaveLimit } from './api.ts'
import { KeySelect } from './key-select.tsx'
import { caps, capsOf, type SubjectType, subjectLabels, subjectName, subjectOf } from './limit-labels.ts'

/** People, groups and organizations belong to another feature; the page connects the two. */
export type SubjectField = (props: {
  type: 'user' | 'group' | 'organization'
  onTake: (subject: { id: string; name: string }) => void
}) => ReactNode

interface LimitDialogProps {
  scope: 'organization' | 'platform'
  /** The limit to edit; `new` creates one; undefined means closed. */
  open: string | undefined
  subjectField: SubjectField
  onClose: () => void
}

export function LimitDialog({ scope, open, subjectField, onClose }: LimitDialogProps) {
  const { data } = useLimits()
  const limit = data?.items.find(({ id }) => id === open)
  return (
    <Dialog
      title={limit ? `Limit for ${subjectName(limit).toLowerCase()}` : 'New limit'}
      hint="Leave a field blank for no limit."
      isOpen={open === 'new' || limit !== undefined}
      onClose={onClose}
    >
      <LimitForm scope={scope} current={limit} subjectField={subjectField} onClose={onClose} />
    </Dialog>
  )
}

const typesOf: Record<LimitDialogProps['scope'], readonly SubjectType[]> = {
  platform: ['everyone', 'user', 'group', 'organization', 'key'],
  organization: ['user', 'group', 'key'],
}

interface LimitFormProps {
  scope: LimitDialogProps['scope']
  current: UsageLimit | undefined
  subjectField: SubjectField
  onClose: () => void
}

function LimitForm({ scope, current, subjectField, onClose }: LimitFormProps) {
  const [type, setType] = useState<SubjectType>(current?.subject_type ?? typesOf[scope][0] ?? 'user')
  const [subject, setSubject] = useState<{ id: string; name: string }>()
  const save = useSaveLimit(current?.id)
  const form = useForm<unknown>({
    schema: current ? LimitPatch : LimitBody,
    body: (fields) => (current ? capsOf(fields) : { ...subjectOf({ type, id: subject?.id }), ...capsOf(fields) }),
    fieldOfCode: { limit_exists: 'subject_type', limit_subject_not_found: 'subject_id' },
    send: async (body) => {
      await save(body)
      toast.done('Limit saved')
      onClose()
    },
  })
  const choose = (next: SubjectType) => {
    setType(next)
    setSubject(undefined)
  }
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      {!current && (
        <>
          <Field label="Applies to" name="subject_type" problem={form.problems.subject_type}>
            <Select
              value={type}
              onChange={(event) => choose(typesOf[scope].find((known) => known === event.target.value) ?? type)}
            >
              {typesOf[scope].map((known) => (
                <option key={known} value={known}>
                  {subjectLabels[known]}
                </option>
              ))}
            </Select>
          </Field>
          <Subject
            scope={scope}
            type={type}
            subject={subject}
            problem={form.problems.subject_id}
            field={subjectField}
            onSubject={setSubject}
          />
        </>
      )}
      <div className="grid gap-5 sm:grid-cols-3">
        {caps.map(({ name, label }) => (
          <Field key={name} label={label} name={name} problem={form.problems[name]}>
            <TextInput inputMode="numeric" className="figures" defaultValue={current?.[name] ?? ''} />
          </Field>
        ))}
      </div>
      <DialogFormActions form={form} onCancel={onClose}>
        {current ? 'Save limit' : 'Create limit'}
      </DialogFormActions>
    </form>
  )
}

interface SubjectProps {
  scope: LimitDialogProps['scope']
  type: SubjectType
  subject: { id: string; name: string } | undefined
  problem: string | undefined
  field: SubjectField
  onSubject: (subject: { id: string; name: string } | undefined) => void
}

function Subject({ scope, type, subject, problem, field, onSubject }: SubjectProps) {
  if (type === 'everyone') return null
  if (type === 'key') return <KeySelect scope={scope} problem={problem} onTake={onSubject} />
  return (
    <div className="flex flex-col gap-1.5">
      {subject ? (
        <p className="flex items-center justify-between rounded-control border bg-sunken py-1 pr-1 pl-3">
          {subject.name}
          <Button size="small" look="quiet" onClick={() => onSubject(undefined)}>
            Change
          </Button>
        </p>
      ) : (
        field({ type, onTake: onSubject })
      )}
      {problem !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Form of the signature node: the template, a person for each of its roles, and values for its fields. */
import { isMark } from '@chancery/contract/signing/signing.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Field } from '#ui/form/field.tsx'
import { inputLook, TextArea } from '#ui/form/inputs.tsx'
import { Suggest } from '#ui/form/suggest.tsx'
import { templateQuery, useFoundTemplates } from '../api.ts'
import { textAt, useNodeConfig } from '../rows/config-context.ts'
import { RowNote, template, yearSec } from '../rows/form-help.tsx'
import { PairsRow } from '../rows/pairs-row.tsx'
import { LineRow } from '../rows/text-rows.tsx'
import { DurationRow } from '../rows/value-rows.tsx'
import { type Person, peopleFor, readPeople, rolesIn } from './role-people.ts'

export function SignatureForm() {
  const { config } = useNodeConfig()
  const id = textAt(config, 'template_id')
  const text = textAt(config, 'markdown')
  const { data } = useQuery({ ...templateQuery(id), enabled: id !== '', retry: false })
  const labels = [...new Set(data?.fields.flatMap(({ label, type }) => (isMark(type) ? [] : (label ?? []))))]
  return (
    <>
      <TemplateRow title={data?.title} />
      {id === '' && <TextRow />}
      <PeopleRow roles={id === '' ? rolesIn(text) : (data?.recipients.map(({ name }) => name) ?? [])} />
      <LineRow
        name="title"
        label="Document title"
        isOptional={text === ''}
        placeholder={data?.title ?? ''}
        help={template}
      />
      <PairsRow
        name="values"
        label="Values"
        help={
          labels.length === 0
            ? 'Filled in from the start, by the labels of the template’s fields.'
            : `Filled in from the start. Fields of the template: ${labels.join(', ')}.`
        }
        nameLabel="Field label"
        valueLabel="Field value"
        addLabel="Add value"
      />
      <LineRow name="folder" label="Folder" isOptional help={template} />
      <DurationRow
        name="expires_sec"
        label="Expires after"
        isOptional
        maxSec={yearSec}
        help="If someone hasn’t signed by then, the run continues with “expired”."
      />
      <p className="text-faint text-sm">
        The person this workflow runs as is the sender. Cancelling a run doesn’t cancel a document that was sent.
      </p>
    </>
  )
}

/** Searched by title, stored by ID. */
function TemplateRow({ title }: { title: string | undefined }) {
  const { config, problems, change } = useNodeConfig()
  const queryClient = useQueryClient()
  const id = textAt(config, 'template_id')
  const [typed, setTyped] = useState<string>()
  const search = useDebounced(typed ?? '')
  const found = useFoundTemplates(search)
  const take = async (templateId: string) => {
    setTyped(undefined)
    change({ template_id: templateId, markdown: undefined })
    const { recipients } = await queryClient.fetchQuery(templateQuery(templateId))
    const roles = recipients.map(({ name }) => name)
    change({ template_id: templateId, recipients: peopleFor(roles, readPeople(config.recipients)) })
  }
  return (
    <Field
      label="Template"
      name="template_id"
      problem={problems.get('template_id')}
      help="Make templates under Documents: any document can become one."
    >
      <Suggest
        value={typed ?? title ?? id}
        suggestions={(found.data?.data ?? []).map((one) => ({
          value: one.id,
          label: one.title,
          detail: one.owner.name,
        }))}
        placeholder="Search by title"
        emptyHint="No template with that title."
        onChange={(text) => {
          setTyped(text)
          if (text === '') change({ template_id: '' })
        }}
        // Text without a selection changes nothing: the chosen template is shown again.
        onLeave={() => setTyped(undefined)}
        onTake={({ value }) => void take(value)}
      />
    </Field>
  )
}

/** Tags and variables of the text are its own: expressions stand in the values. */
function TextRow() {
  const { config, problems, change } = useNodeConfig()
  const text = textAt(config, 'markdown')
  return (
    <Field
      label="Or write the text"
      name="markdown"
      isOptional
      problem={problems.get('markdown')}
      help="Markdown. {{sig:Customer}} and {{date:Customer}} are fields of a role; {{name}} takes its value from Values."
    >
      <TextArea
        rows={6}
        value={text}
        className="field-sizing-content max-h-96"
        onChange={({ target: { value } }) =>
          change({ markdown: value === '' ? undefined : value, template_id: value === '' ? '' : undefined })
        }
      />
    </Field>
  )
}

/** Roles that the template no longer has stay until they are removed. */
function PeopleRow({ roles }: { roles: readonly string[] }) {
  const { config, problems, hints, change } = useNodeConfig()
  const people = peopleFor(roles, readPeople(config.recipients), true)
  const set = (next: readonly Person[]) => change({ recipients: next })
  const edit = (role: string, patch: Partial<Person>) =>
    set(people.map((one) => (one.role === role ? { ...one, ...patch } : one)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" name="recipients">
      <legend className="mb-1.5 font-medium text-sm">Recipients</legend>
      {people.map((person) => (
        <div key={person.role} className="flex items-start gap-1 rounded-control border border-line bg-sunken/50 p-1.5">
          <div className="flex min-w-0 flex-1 flex-col gap-1.5">
            <p className="font-medium text-sm">{person.role}</p>
            {(['name', 'email'] as const).map((field) => (
              <input
                key={field}
                aria-label={`${field === 'name' ? 'Name' : 'Email'} of ${person.role}`}
                value={person[field]}
                placeholder={field === 'name' ? 'Name' : 'Email'}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => edit(person.role, { [field]: event.target.value })}
                className={cx(inputLook, 'h-8 font-mono text-sm!')}
              />
            ))}
          </div>
          {!roles.includes(person.role) && (
            <IconButton
              label={`Remove ${person.role}`}
              icon={X}
              isTiny
              onClick={() => set(people.filter((one) => one.role !== person.role))}
            />
          )}
        </div>
      ))}
      <RowNote
        problem={problems.get('recipients')}
        hint={hints.get('recipients')}
        help={people.length === 0 ? 'Choose a template to see its roles.' : template}
      />
    </fieldset>
  )
}

/** Form of a webhook: starts the workflow on signed requests. The signature scheme can't be changed later. */
import { TriggerPatch, WebhookTriggerBody } from '@chancery/contract/workflow-triggers.ts'
import { useState } from 'react'
import { useForm } from '#lib/form.ts'
import { Segmented } from '#ui/choices.tsx'
import { Field } from '#ui/field.tsx'
import { TextInput } from '#ui/inputs.tsx'
import { type TriggerOf, useSaveTrigger } from './api.ts'
import { FormFoot, type FormProps } from './form-foot.tsx'
import { ResourceFields } from './resource-fields.tsx'
import { resourcesOf, webhookBody } from './trigger-body.ts'

const schemes = [
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'github', label: 'GitHub' },
] as const

const schemeHelp: Record<TriggerOf<'webhook'>['scheme'], string> = {
  standard:
    'The ID, time and body are signed. Requests older than five minutes are rejected, and repeated ones count once.',
  github: 'The body is signed, as GitHub and compatible services do. The same body counts once a day.',
}

export function WebhookForm({ workflowId, current, onSaved, onClose }: FormProps<TriggerOf<'webhook'>>) {
  const [scheme, setScheme] = useState<TriggerOf<'webhook'>['scheme']>('standard')
  const [resources, setResources] = useState(() => resourcesOf(current))
  const save = useSaveTrigger({ workflowId, kind: 'webhook', id: current?.id })
  const form = useForm<unknown>({
    schema: current ? TriggerPatch : WebhookTriggerBody,
    body: (fields) => ({ ...webhookBody(fields, resources), ...(!current && { scheme }) }),
    send: async (body) => onSaved(await save(body)),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="off" defaultValue={current?.name} required />
      </Field>
      {!current && (
        <div className="flex flex-col gap-1.5">
          <p className="font-medium text-sm">Signature</p>
          <Segmented legend="Signature" name="scheme" value={scheme} options={schemes} onChange={setScheme} />
          <p className="text-faint text-sm">{schemeHelp[scheme]}</p>
        </div>
      )}
      <Field
        label="Event type"
        name="event_type"
        isOptional
        problem={form.problems.event_type}
        help="Each request is published as an event of this type. Defaults to webhook_received."
      >
        <TextInput
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="webhook_received"
          defaultValue={current?.event_type}
          className="font-mono"
        />
      </Field>
      <ResourceFields value={resources} onChange={setResources} />
      <FormFoot form={form} isNew={!current} onClose={onClose} />
    </form>
  )
}

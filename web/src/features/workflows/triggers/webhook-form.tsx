/** Form of a webhook: starts the workflow on signed requests. The signature scheme can't be changed later. */
import { TriggerPatch, WebhookTriggerBody } from '@chancery/contract/workflows/triggers.ts'
import { useState } from 'react'
import { type Form, useForm } from '#lib/form/form.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { type TriggerOf, useSaveTrigger } from './api.ts'
import { CatalogAndSpaceFields } from './catalog-and-space-fields.tsx'
import { FormFoot, type FormProps } from './form-foot.tsx'
import { catalogAndSpaceOf, webhookBody } from './trigger-body.ts'

type Scheme = TriggerOf<'webhook'>['scheme']

const schemes: readonly { value: Scheme; label: string; help: string }[] = [
  {
    value: 'standard',
    label: 'Standard Webhooks',
    help: 'The ID, time and body are signed. Requests older than five minutes are rejected, and repeated ones count once.',
  },
  {
    value: 'github',
    label: 'GitHub',
    help: 'The body is signed, as GitHub and compatible services do. The same body counts once a day.',
  },
  { value: 'stripe', label: 'Stripe', help: 'Enter the signing secret that Stripe shows for the endpoint.' },
  { value: 'slack', label: 'Slack', help: 'Enter the signing secret of the Slack app.' },
  {
    value: 'hmac',
    label: 'HMAC-SHA256',
    help: 'The body is signed, in hex or base64. The same body counts once a day.',
  },
]

export function WebhookForm({ workflowId, current, onSaved, onClose }: FormProps<TriggerOf<'webhook'>>) {
  const [scheme, setScheme] = useState<Scheme>(current?.scheme ?? 'standard')
  const [includesRequest, setIncludesRequest] = useState(current?.include_request ?? false)
  const [catalogAndSpace, setCatalogAndSpace] = useState(() => catalogAndSpaceOf(current))
  const save = useSaveTrigger({ workflowId, kind: 'webhook', id: current?.id })
  const form = useForm<unknown>({
    schema: current ? TriggerPatch : WebhookTriggerBody,
    body: (fields) => ({
      ...webhookBody(fields, { catalogAndSpace, includesRequest, isNew: !current }),
      ...(!current && { scheme }),
    }),
    send: async (body) => onSaved(await save(body)),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="off" defaultValue={current?.name} required />
      </Field>
      {!current && (
        <Field label="Signature" name="scheme" help={schemes.find(({ value }) => value === scheme)?.help}>
          <Select value={scheme} onChange={(event) => setScheme(event.target.value as Scheme)}>
            {schemes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <SecretFields scheme={scheme} current={current} problems={form.problems} />
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
      <Field
        label="Filter"
        name="filter_expr"
        isOptional
        problem={form.problems.filter_expr}
        help="A Python expression over payload, event, input and state. Requests that don’t match start nothing."
      >
        <TextArea
          rows={2}
          spellCheck={false}
          defaultValue={current?.filter_expr ?? ''}
          className="font-mono text-sm!"
        />
      </Field>
      <Switch
        label="Include query and headers"
        help="The payload has body, query and headers. Credentials are left out. Only the body is signed."
        isOn={includesRequest}
        onChange={setIncludesRequest}
      />
      <Field
        label="Reply with the output within (seconds)"
        name="answer_sec"
        isOptional
        problem={form.problems.answer_sec}
        help="1 to 60. If the run takes longer, the reply has its ID. Leave blank to reply at once."
      >
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          defaultValue={current?.answer_sec ?? ''}
          className="figures"
        />
      </Field>
      <CatalogAndSpaceFields value={catalogAndSpace} onChange={setCatalogAndSpace} />
      <FormFoot form={form} isNew={!current} onClose={onClose} />
    </form>
  )
}

interface SecretFieldsProps {
  scheme: Scheme
  current: TriggerOf<'webhook'> | undefined
  problems: Form['problems']
}

/** Stripe and Slack issue the secret; the others may. */
function SecretFields({ scheme, current, problems }: SecretFieldsProps) {
  const isIssued = scheme === 'stripe' || scheme === 'slack'
  return (
    <>
      {scheme === 'hmac' && (
        <Field label="Signature header" name="signature_header" isOptional problem={problems.signature_header}>
          <TextInput autoComplete="off" placeholder="X-Signature" defaultValue={current?.signature_header ?? ''} />
        </Field>
      )}
      <Field
        label="Signing secret"
        name="secret"
        isOptional={!isIssued || current !== undefined}
        problem={problems.secret}
        help={current ? 'Leave blank to keep the current one.' : isIssued ? undefined : 'Leave blank to create one.'}
      >
        <PasswordInput autoComplete="new-password" />
      </Field>
    </>
  )
}

/** The quotas of an organization, or of everybody on its plan: what is used, and limits to set. Empty is the usual limit. */
import { QuotaLimitsBody, type QuotaUse } from '@chancery/contract/organizations/quotas.ts'
import { useState } from 'react'
import { QuotaUsed } from '#data/quota-used.tsx'
import { limitWords, quotaTitle } from '#data/quota-words.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, FormFailure, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type QuotaSubject, useQuotas, useSaveQuotas } from './api.ts'
import type { Detail } from './organization-patch.ts'
import { type Level, quotaChanges, quotaField } from './quota-changes.ts'

export function QuotasPanel({ organization: { id, plan } }: { organization: Detail }) {
  const [level, setLevel] = useState<Level>('scope')
  const levels = [
    { value: 'scope', label: 'This organization' },
    { value: 'plan', label: 'Its plan' },
  ] as const
  return (
    <Panel
      title="Quotas"
      hint={`What one tenant may take of what all share. A limit of the plan ${plan} holds for everybody on it. Leave one empty for the usual limit; 0 is no limit.`}
    >
      <div className="flex flex-col gap-5">
        <Segmented legend="Set limits for" name="level" value={level} options={levels} onChange={setLevel} />
        <QuotasForm key={level} subject={level === 'plan' ? { plan } : { id }} level={level} />
      </div>
    </Panel>
  )
}

function QuotasForm({ subject, level }: { subject: QuotaSubject; level: Level }) {
  const { data, isError, error, refetch } = useQuotas(subject)
  if (isError) return <ErrorPanel error={error} onRetry={refetch} />
  if (!data)
    return (
      <Loading label="Loading quotas">
        <Skeleton className="h-96" />
      </Loading>
    )
  const fields = data.items.map((quota) => quotaField(quota, level))
  return <Limits key={fields.join()} subject={subject} level={level} items={data.items} />
}

interface LimitsProps {
  subject: QuotaSubject
  level: Level
  items: readonly QuotaUse[]
}

function Limits({ subject, level, items }: LimitsProps) {
  const save = useSaveQuotas(subject)
  const form = useForm({
    schema: QuotaLimitsBody,
    body: (fields) => ({ limits: quotaChanges(fields, items, level) }),
    send: async (body) => {
      await save(body)
      toast.done('Quotas saved')
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <div className="grid items-end gap-x-6 gap-y-4 sm:grid-cols-2">
        {items.map((quota) => (
          <Field
            key={quota.name}
            label={quotaTitle(quota)}
            name={quota.name}
            problem={form.problems[quota.name]}
            aside={<Used quota={quota} />}
          >
            <TextInput
              inputMode="numeric"
              autoComplete="off"
              className="figures"
              defaultValue={quotaField(quota, level)}
              placeholder={limitWords(quota.usual)}
            />
          </Field>
        ))}
      </div>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" className="self-start" isPending={form.isPending}>
        Save quotas
      </Button>
    </form>
  )
}

const Used = ({ quota }: { quota: QuotaUse }) =>
  quota.used === null ? null : (
    <span className="text-faint text-sm">
      Used: <QuotaUsed quota={quota} />
    </span>
  )

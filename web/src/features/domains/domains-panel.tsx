/** Email domains: add one, create the TXT record, verify it. */
import { type Domain, DomainBody } from '@chancery/contract/organizations/domains.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Empty, ErrorPanel, FormFailure, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { useAddDomain, useDomains, useRemoveDomain, useVerifyDomain } from './api.ts'

const hint = 'People with an email address at a verified domain follow your sign-in rules.'

export function DomainsPanel() {
  const domains = useDomains()
  return (
    <Panel title="Email domains" hint={hint}>
      <div className="flex flex-col gap-5">
        {domains.isPending && (
          <Loading label="Loading domains">
            <Skeleton className="h-10" />
          </Loading>
        )}
        {domains.isError && <ErrorPanel error={domains.error} onRetry={domains.refetch} />}
        {domains.data?.total === 0 && (
          <Empty
            title="No domains yet"
            hint="Add your organization’s email domain, then verify it with a TXT record."
          />
        )}
        <DomainItems items={domains.data?.items ?? []} />
        <AddForm />
      </div>
    </Panel>
  )
}

function DomainItems({ items }: { items: readonly Domain[] }) {
  const [removing, setRemoving] = useState<Domain>()
  const verify = useVerifyDomain()
  const remove = useRemoveDomain(() => setRemoving(undefined))
  return (
    <ul className="flex flex-col divide-y divide-line">
      {items.map((item) => (
        <li key={item.domain} className="flex flex-wrap items-center justify-between gap-3 py-3">
          <div className="min-w-0">
            <p className="flex items-center gap-2 font-medium">
              {item.domain}{' '}
              <Badge tone={item.verified ? 'good' : 'plain'}>{item.verified ? 'Verified' : 'Not verified'}</Badge>
            </p>
            {!item.verified && item.txtRecord !== null && <TxtRecord text={item.txtRecord} />}
          </div>
          <div className="flex gap-2">
            {!item.verified && (
              <Button
                isPending={verify.isPending && verify.variables?.domain === item.domain}
                onClick={() => verify.mutate(item)}
              >
                Verify
              </Button>
            )}
            <Button onClick={() => setRemoving(item)}>Remove</Button>
          </div>
        </li>
      ))}
      <Confirm
        title={`Remove ${removing?.domain}?`}
        loss="Your sign-in rules no longer apply to its addresses, and another organization can verify the domain."
        action="Remove domain"
        isOpen={removing !== undefined}
        isPending={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      />
    </ul>
  )
}

const TxtRecord = ({ text }: { text: string }) => (
  <p className="mt-1 flex items-center gap-1 text-faint text-sm">
    Add this TXT record to your DNS: <code className="truncate font-mono text-xs">{text}</code>
    <CopyButton text={text} label="Copy TXT record" />
  </p>
)

function AddForm() {
  const add = useAddDomain()
  const [round, setRound] = useState(0)
  const form = useForm({
    schema: DomainBody,
    body: ({ domain }) => ({ domain }),
    send: async (body) => {
      await add(body)
      setRound(round + 1)
    },
  })
  return (
    <form key={round} noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-3">
      <Field label="Domain" name="domain" problem={form.problems.domain}>
        <TextInput autoComplete="off" placeholder="example.com" required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" className="self-start" isPending={form.isPending}>
        Add domain
      </Button>
    </form>
  )
}

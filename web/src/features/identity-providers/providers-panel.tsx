/** The organization's own identity providers: what each signs in, and the buttons to change it. */
import type { IdentityProvider } from '@chancery/contract/organizations/identity-providers.ts'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useProviders, useRemoveProvider, useTestProvider } from './api.ts'
import type { GroupChoice } from './mapping-fields.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { TestResult } from './test-result.tsx'

interface ProvidersPanelProps {
  /** The verified ones. */
  domains: readonly string[]
  groups: readonly GroupChoice[]
}

/** Closed, a new one, or one that is changed. */
type Opened = { current: IdentityProvider | undefined } | undefined

export function ProvidersPanel({ domains, groups }: ProvidersPanelProps) {
  const providers = useProviders()
  const [opened, setOpened] = useState<Opened>()
  const add = <Button onClick={() => setOpened({ current: undefined })}>Add provider</Button>
  const canAdd = domains.length > 0
  return (
    <Panel
      title="Identity providers"
      hint="Let people of your email domains sign in with your own provider by OpenID Connect."
      action={canAdd && providers.data !== undefined && providers.data.total > 0 && add}
    >
      {providers.isPending && (
        <Loading label="Loading identity providers">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {providers.isError && <ErrorPanel error={providers.error} onRetry={providers.refetch} />}
      {providers.data?.total === 0 && (
        <Empty
          title="No identity provider yet"
          hint={
            canAdd
              ? 'Connect Entra ID, Okta, Google Workspace, Keycloak or another one.'
              : 'Verify an email domain first: a provider signs in people of your domains.'
          }
          action={canAdd ? add : undefined}
        />
      )}
      <div className="flex flex-col gap-6 divide-y divide-line *:not-last:pb-6">
        {providers.data?.items.map((provider) => (
          <Provider key={provider.id} provider={provider} onEdit={() => setOpened({ current: provider })} />
        ))}
      </div>
      <ProviderDialog
        current={opened?.current}
        domains={domains}
        groups={groups}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
      />
    </Panel>
  )
}

function Provider({ provider, onEdit }: { provider: IdentityProvider; onEdit: () => void }) {
  const test = useTestProvider()
  const [isRemoving, setRemoving] = useState(false)
  const remove = useRemoveProvider(() => setRemoving(false))
  const { name, enabled, domains, oidc, redirectUri, lastLoginAt } = provider
  return (
    <section aria-label={name}>
      <h3 className="mb-3 flex items-center gap-2 font-medium">
        {name} {enabled ? <Badge tone="good">Enabled</Badge> : <Badge tone="warn">Disabled</Badge>}
      </h3>
      <Facts
        items={[
          { term: 'Issuer', value: <span className="break-all font-mono text-sm">{oidc.issuer}</span> },
          { term: 'Email domains', value: domains.join(', ') },
          {
            term: 'Redirect URI',
            value: (
              <span className="flex items-center gap-1">
                <span className="break-all font-mono text-sm">{redirectUri}</span>
                <CopyButton text={redirectUri} label="Copy redirect URI" />
              </span>
            ),
          },
          { term: 'Last sign-in', value: lastLoginAt === null ? 'Never' : <Time at={lastLoginAt} /> },
        ]}
      />
      <div className="mt-5 flex flex-wrap gap-2">
        <Button onClick={onEdit}>Edit</Button>
        <Button isPending={test.isPending} onClick={() => test.mutate(provider)}>
          Test
        </Button>
        <Button look="quiet" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <div aria-live="polite">
        {test.isError && (
          <div className="mt-4">
            <ErrorPanel error={test.error} />
          </div>
        )}
        {test.isSuccess && <TestResult result={test.data} />}
      </div>
      <Confirm
        title={`Remove ${name}?`}
        loss="People who signed in with it are signed out. Their accounts stay, and they can set a password with “Forgot password?”."
        action="Remove provider"
        isOpen={isRemoving}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(provider)}
        onClose={() => setRemoving(false)}
      />
    </section>
  )
}

/** Sign-in settings of the organization. The directory dialog has its own URL. */
import { getRouteApi } from '@tanstack/react-router'
import { DirectoryDialog } from '#features/directory/directory-dialog.tsx'
import { DirectoryPanel } from '#features/directory/directory-panel.tsx'
import { SyncPanel } from '#features/directory-sync/sync-panel.tsx'
import { useDomains } from '#features/domains/api.ts'
import { DomainsPanel } from '#features/domains/domains-panel.tsx'
import { useProviders } from '#features/identity-providers/api.ts'
import { ProvidersPanel } from '#features/identity-providers/providers-panel.tsx'
import { useCompanyLogin, useOrganization } from '#features/organization/api.ts'
import { FactorPolicyForm } from '#features/organization/factor-policy-form.tsx'
import { LoginCodeSwitch } from '#features/organization/login-code-switch.tsx'
import { RememberSwitch } from '#features/organization/remember-switch.tsx'
import { SignInSwitch } from '#features/organization/sign-in-switch.tsx'
import { useUnits } from '#features/units/api.ts'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/organization/sign-in')

export function OrganizationSignInPage() {
  const { data: organization } = useOrganization()
  const { directory } = route.useSearch()
  const navigate = route.useNavigate()
  const verified = useDomains().data?.items.filter(({ verified }) => verified) ?? []
  const groups = useUnits('group').data?.items ?? []
  const providers = useProviders().data?.items ?? []
  const hasOwnProvider = providers.some(({ enabled, lastLoginAt }) => enabled && lastLoginAt !== null)
  const isSyncable = useCompanyLogin().data?.enabled === true
  if (!organization) return null
  return (
    <>
      <PageTitle>Sign-in</PageTitle>
      <Panel title="Sign-in method">
        <div className="flex flex-col gap-5 divide-y divide-line *:not-last:pb-5">
          <SignInSwitch organization={organization} hasOwnProvider={hasOwnProvider} />
          <LoginCodeSwitch organization={organization} />
        </div>
      </Panel>
      <Panel title="Second factors" hint="What members need to sign in besides their password.">
        <div className="flex flex-col gap-5 divide-y divide-line *:not-last:pb-5">
          <div>
            <FactorPolicyForm organization={organization} />
          </div>
          <RememberSwitch organization={organization} />
        </div>
      </Panel>
      <DomainsPanel />
      <ProvidersPanel domains={verified.map(({ domain }) => domain)} groups={groups} />
      {organization.authProvider === 'SSO' ? (
        isSyncable && <SyncPanel />
      ) : (
        <>
          <DirectoryPanel onEdit={() => void navigate({ search: { directory: true } })} />
          <DirectoryDialog isOpen={directory === true} onClose={() => void navigate({ search: {}, replace: true })} />
        </>
      )}
    </>
  )
}

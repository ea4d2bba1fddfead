/** The organization's overview, for its admins. */
import { ModelDefaultsPanel } from '#features/model-defaults/model-defaults-panel.tsx'
import { useOrganization } from '#features/organization/api.ts'
import { FactsPanel } from '#features/organization/facts-panel.tsx'
import { NameForm } from '#features/organization/name-form.tsx'
import { PlanPanel } from '#features/organization/plan-panel.tsx'
import { PublicLinksSwitch } from '#features/organization/public-links-switch.tsx'
import { AiSettingsPanel } from '#features/signing/ai/ai-settings-panel.tsx'
import { CertificatePanel } from '#features/signing/certificate/certificate-panel.tsx'
import { ApprovalRetentionPanel } from '#features/workflows/approvals/retention-panel.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export function OrganizationOverviewPage() {
  const { data: organization } = useOrganization()
  if (!organization) return null
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <PageTitle>{organization.name}</PageTitle>
      <div className="flex flex-col gap-6">
        <PlanPanel organization={organization} />
        <Panel title="Name">
          <NameForm key={organization.name} organization={organization} />
        </Panel>
        <Panel title="Sharing">
          <PublicLinksSwitch organization={organization} />
        </Panel>
        <ModelDefaultsPanel
          scope="organization"
          hint="For the members of your organization. Each person can choose others."
        />
        <AiSettingsPanel />
        <CertificatePanel canChange />
        <ApprovalRetentionPanel />
      </div>
      <FactsPanel organization={organization} />
    </div>
  )
}

/** The organization as a regular member sees it: people and plan, read-only. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { useSearch } from '@tanstack/react-router'
import { usePerson } from '#data/viewer.ts'
import { planName } from '#features/organization/plan-panel.tsx'
import { ColleaguesPanel } from '#features/team/colleagues-panel.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'

export function MemberView({ organization }: { organization: Organization }) {
  const { id } = usePerson()
  const { search = '' } = useSearch({ strict: false })
  const { name, plan, memberCount, authProvider, createdAt } = organization
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <PageTitle>{name}</PageTitle>
      <ColleaguesPanel key={search} ownId={id} firstSearch={search} />
      <Panel title="Organization">
        <Facts
          items={[
            { term: 'Plan', value: <Badge tone="seal">{planName(plan)}</Badge> },
            { term: 'People', value: <span className="figures">{memberCount}</span> },
            { term: 'Sign-in', value: authProvider === 'SSO' ? 'Company login' : 'Email and password' },
            { term: 'Created', value: <Time at={createdAt} /> },
          ]}
        />
      </Panel>
    </div>
  )
}

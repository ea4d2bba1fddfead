/** The organization's details. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { Time } from '#ui/values/time.tsx'

export function FactsPanel({ organization }: { organization: Organization }) {
  const { code, authProvider, loginOtp, memberCount, createdAt } = organization
  const codeValue = (
    <span className="flex items-center justify-end gap-1 font-mono text-sm">
      {code}
      <CopyButton text={code} label="Copy organization code" />
    </span>
  )
  return (
    <Panel title="Organization">
      <Facts
        items={[
          { term: 'Code', value: codeValue },
          { term: 'People', value: <span className="figures">{memberCount}</span> },
          { term: 'Sign-in', value: authProvider === 'SSO' ? 'Company login' : 'Email and password' },
          { term: 'Login code', value: loginOtp ? 'Required for everyone' : 'Optional' },
          { term: 'Created', value: <Time at={createdAt} /> },
        ]}
      />
    </Panel>
  )
}

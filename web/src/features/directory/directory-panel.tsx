/** The state of the organization's directory connection, and the buttons to change it. */
import type { LdapSettings } from '@chancery/contract/organizations/ldap.ts'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { useDirectory, useForgetDirectory, useTestDirectory } from './api.ts'
import { securityOf } from './directory-body.ts'
import { TestSteps } from './test-steps.tsx'

export function DirectoryPanel({ onEdit }: { onEdit: () => void }) {
  const directory = useDirectory()
  return (
    <Panel
      title="Directory"
      hint="Let people sign in with their password from your LDAP directory."
      action={directory.data && <Button onClick={onEdit}>Edit directory</Button>}
    >
      {directory.isPending && (
        <Loading label="Loading directory">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {directory.isError && <ErrorPanel error={directory.error} onRetry={directory.refetch} />}
      {directory.data === null && (
        <Empty
          title="No directory connected"
          hint="Until you connect one, people sign in with a password they set here."
          action={<Button onClick={onEdit}>Connect directory</Button>}
        />
      )}
      {directory.data && <Connected directory={directory.data} />}
    </Panel>
  )
}

const securityNames = { none: 'Not encrypted', startTls: 'StartTLS', ldaps: 'LDAPS' }

function Connected({ directory }: { directory: LdapSettings }) {
  const test = useTestDirectory()
  const [isLeaving, setDeleting] = useState(false)
  const forget = useForgetDirectory(() => setDeleting(false))
  const security = securityOf(directory)
  return (
    <>
      <Facts
        items={[
          {
            term: 'Status',
            value: directory.enabled ? <Badge tone="good">Enabled</Badge> : <Badge tone="warn">Disabled</Badge>,
          },
          { term: 'URL', value: <span className="break-all font-mono text-sm">{directory.url}</span> },
          {
            term: 'Encryption',
            value: security === 'none' ? <Badge tone="warn">{securityNames.none}</Badge> : securityNames[security],
          },
          { term: 'Base DN', value: <span className="break-all font-mono text-sm">{directory.baseDn}</span> },
          {
            term: 'New people',
            value: directory.autoProvision ? 'Get an account on first sign-in' : 'Need an invitation',
          },
        ]}
      />
      <div className="mt-5 flex flex-wrap gap-2">
        <Button isPending={test.isPending} onClick={() => test.mutate({})}>
          Test connection
        </Button>
        <Button look="quiet" onClick={() => setDeleting(true)}>
          Disconnect
        </Button>
      </div>
      <TestSteps test={test} />
      <Confirm
        title="Disconnect directory?"
        loss="People who sign in with its password must set a new one with “Forgot password?”. The bind password is deleted."
        action="Disconnect directory"
        isOpen={isLeaving}
        isPending={forget.isPending}
        onConfirm={() => forget.mutate()}
        onClose={() => setDeleting(false)}
      />
    </>
  )
}

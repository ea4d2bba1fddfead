/** Whether a directory is connected, whether it answers, and the way to change it. */
import type { LdapSettings } from '@chancery/contract/ldap.ts'
import { useState } from 'react'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Facts, Panel } from '#ui/layout.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { useDirectory, useForgetDirectory, useTestDirectory } from './api.ts'
import { securityOf } from './directory-body.ts'
import { TestSteps } from './test-steps.tsx'

export function DirectoryPanel({ onEdit }: { onEdit: () => void }) {
  const directory = useDirectory()
  return (
    <Panel
      title="Directory"
      hint="With LDAP, people sign in here with the password of your own directory."
      action={directory.data && <Button onClick={onEdit}>Edit directory</Button>}
    >
      {directory.isPending && (
        <Loading label="Loading the directory">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {directory.isError && <ErrorPanel error={directory.error} onRetry={directory.refetch} />}
      {directory.data === null && (
        <Empty
          title="No directory connected"
          hint="People sign in with a password of their own until you connect one."
          action={<Button onClick={onEdit}>Connect a directory</Button>}
        />
      )}
      {directory.data && <Connected directory={directory.data} />}
    </Panel>
  )
}

const securityNames = { none: 'Not encrypted', startTls: 'StartTLS', ldaps: 'LDAPS' }

function Connected({ directory }: { directory: LdapSettings }) {
  const test = useTestDirectory()
  const [isLeaving, setLeaving] = useState(false)
  const forget = useForgetDirectory(() => setLeaving(false))
  const security = securityOf(directory)
  return (
    <>
      <Facts
        items={[
          {
            term: 'State',
            value: directory.enabled ? <Badge tone="good">In use</Badge> : <Badge tone="warn">Switched off</Badge>,
          },
          { term: 'Address', value: <span className="break-all font-mono text-sm">{directory.url}</span> },
          {
            term: 'Encryption',
            value: security === 'none' ? <Badge tone="warn">{securityNames.none}</Badge> : securityNames[security],
          },
          { term: 'People under', value: <span className="break-all font-mono text-sm">{directory.baseDn}</span> },
          {
            term: 'New people',
            value: directory.autoProvision ? 'Get an account at their first login' : 'Need an invitation',
          },
        ]}
      />
      <div className="mt-5 flex flex-wrap gap-2">
        <Button isPending={test.isPending} onClick={() => test.mutate({})}>
          Test the connection
        </Button>
        <Button look="quiet" onClick={() => setLeaving(true)}>
          Forget the directory
        </Button>
      </div>
      <TestSteps test={test} />
      <Confirm
        title="Forget the directory?"
        loss="People who sign in with its password cannot come in any more until they set one here by “Forgot it?”. The bind password is deleted too."
        action="Forget the directory"
        isOpen={isLeaving}
        isPending={forget.isPending}
        onConfirm={() => forget.mutate()}
        onClose={() => setLeaving(false)}
      />
    </>
  )
}

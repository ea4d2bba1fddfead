/** Credentials that HTTP request nodes use, and what each of them is for. */
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from '#ui/feedback/states.tsx'
import type { Column } from '#ui/table/table.tsx'
import { type CredentialItem, useCredential, useCredentials } from './api.ts'
import { kindLabels } from './credential-kinds.ts'
import { NamedPanel } from './named-panel.tsx'

interface CredentialsPanelProps {
  /** Opens the dialog for a new credential. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const CredentialsPanel = ({ action, onOpen }: CredentialsPanelProps) => (
  <NamedPanel
    noun="credential"
    title="HTTP credentials"
    head="Credential"
    hint="What HTTP request nodes sign in with. Each is sent to one server only, and its secret is never shown again."
    icon={KeyRound}
    query={useCredentials()}
    columns={columns}
    empty={
      <Empty
        title="No credentials yet"
        hint="Add a token, a password or an OAuth client once, and use it in any HTTP request node."
      />
    }
    loss={({ id }) => <Uses id={id} />}
    action={action}
    onOpen={onOpen}
  />
)

const columns: Column<CredentialItem>[] = [
  { head: 'Type', isPlain: true, cell: ({ kind, enabled }) => `${kindLabels[kind]}${enabled ? '' : ' (off)'}` },
  { head: 'Server', isPlain: true, cell: ({ url }) => <span className="font-mono text-sm">{url}</span> },
]

/** Shown before a credential is deleted. */
function Uses({ id }: { id: string }) {
  const { data, isPending } = useCredential(id)
  if (isPending) return <p role="status">Checking which workflows use it…</p>
  const names = data?.used_by ?? []
  if (data && names.length === 0) return <p>No workflow uses it.</p>
  return (
    <>
      <p>Its secret is deleted. HTTP requests that use it will fail.</p>
      {names.length > 0 && (
        <>
          <p className="mt-2">Used by:</p>
          <ul className="list-disc pl-5">
            {names.map((workflow) => (
              <li key={workflow.id}>{workflow.name}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** One audit entry in full. */
import type { AuditEntry } from '@chancery/contract/platform/platform.ts'
import { formatExact } from '#lib/time/times.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { Facts } from '#ui/page/layout.tsx'
import { actionName, actorName, editingSession } from './audit-labels.ts'

interface AuditDialogProps {
  entry: AuditEntry | undefined
  onClose: () => void
}

export function AuditDialog({ entry, onClose }: AuditDialogProps) {
  return (
    <Dialog title={entry ? actionName(entry.action) : ''} isOpen={entry !== undefined} onClose={onClose}>
      {entry && <Entry entry={entry} />}
    </Dialog>
  )
}

const Id = ({ id, label }: { id: string; label: string }) => (
  <span className="flex items-center justify-end gap-1 break-all font-mono text-xs">
    {id}
    <CopyButton text={id} label={label} />
  </span>
)

function Entry({ entry }: { entry: AuditEntry }) {
  const { at, action, actor, target, ip, userAgent, organizationId, detail, id } = entry
  const session = editingSession(entry)
  const hasDetail = Object.keys(detail).length > 0
  return (
    <>
      <Facts
        items={[
          { term: session ? 'First save' : 'Time', value: formatExact(new Date(at)) },
          ...(session
            ? [
                { term: 'Last save', value: formatExact(session.lastAt) },
                { term: 'Saves', value: session.saves },
              ]
            : []),
          { term: 'Actor', value: actorName(actor) },
          ...(actor.id === null ? [] : [{ term: 'Actor ID', value: <Id id={actor.id} label="Copy actor ID" /> }]),
          ...(target === null
            ? []
            : [
                ...(target.name === null ? [] : [{ term: 'Target', value: target.name }]),
                { term: `Target ID (${target.kind})`, value: <Id id={target.id} label="Copy target ID" /> },
              ]),
          ...(organizationId === null
            ? []
            : [{ term: 'Organization', value: <Id id={organizationId} label="Copy organization ID" /> }]),
          { term: 'IP address', value: <span className="font-mono text-sm">{ip ?? '–'}</span> },
          { term: 'Client', value: <span className="text-sm">{userAgent ?? '–'}</span> },
          { term: 'Action', value: <span className="font-mono text-sm">{action}</span> },
          { term: 'Entry ID', value: <Id id={id} label="Copy entry ID" /> },
        ]}
      />
      {hasDetail && (
        <section
          aria-label="Details"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          className="mt-5 max-h-60 overflow-auto rounded-control bg-sunken p-3"
        >
          <pre className="font-mono text-xs">{JSON.stringify(detail, null, 2)}</pre>
        </section>
      )}
    </>
  )
}

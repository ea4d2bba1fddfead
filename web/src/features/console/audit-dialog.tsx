/** One audit entry in full. */
import type { AuditEntry } from '@chancery/contract/platform.ts'
import { sayExact } from '#lib/times.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Facts } from '#ui/layout.tsx'
import { actorName } from './audit-words.ts'

interface AuditDialogProps {
  entry: AuditEntry | undefined
  onClose: () => void
}

export function AuditDialog({ entry, onClose }: AuditDialogProps) {
  return (
    <Dialog title={entry?.action ?? ''} isOpen={entry !== undefined} onClose={onClose}>
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

function Entry({ entry: { at, actor, target, ip, userAgent, organizationId, detail, id } }: { entry: AuditEntry }) {
  const hasDetail = Object.keys(detail).length > 0
  return (
    <>
      <Facts
        items={[
          { term: 'When', value: sayExact(new Date(at)) },
          { term: 'Who', value: actorName(actor) },
          ...(actor.id === null ? [] : [{ term: 'Their id', value: <Id id={actor.id} label="Copy actor id" /> }]),
          ...(target === null
            ? []
            : [{ term: `On ${target.kind}`, value: <Id id={target.id} label="Copy target id" /> }]),
          ...(organizationId === null
            ? []
            : [{ term: 'Organization', value: <Id id={organizationId} label="Copy organization id" /> }]),
          { term: 'From', value: <span className="font-mono text-sm">{ip ?? '–'}</span> },
          { term: 'With', value: <span className="text-sm">{userAgent ?? '–'}</span> },
          { term: 'Entry', value: <Id id={id} label="Copy entry id" /> },
        ]}
      />
      {hasDetail && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section aria-label="Detail" tabIndex={0} className="mt-5 max-h-60 overflow-auto rounded-control bg-sunken p-3">
          <pre className="font-mono text-xs">{JSON.stringify(detail, null, 2)}</pre>
        </section>
      )}
    </>
  )
}

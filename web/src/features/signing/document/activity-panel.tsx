/** A document's activity, newest first, from its tamper-evident log. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { Download, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Time } from '#ui/values/time.tsx'
import { auditUrl, type Entry, useAudit } from './api.ts'
import { entryText } from './entry-text.ts'

const shownFirst = 12

export function ActivityPanel({ document }: { document: SigningDocument }) {
  const audit = useAudit(document)
  return (
    <Panel
      title="Activity"
      hint={audit.data && <ChainNote isValid={audit.data.valid} />}
      action={
        <a href={auditUrl(document.id)} download={`audit-${document.id}.json`} className={buttonLook('quiet', 'small')}>
          <Download aria-hidden className="size-3.5" />
          Export
        </a>
      }
    >
      {audit.isPending && (
        <Loading label="Loading activity">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {audit.isError && <ErrorPanel error={audit.error} onRetry={audit.refetch} />}
      {audit.data && <Timeline entries={audit.data.entries.toReversed()} />}
    </Panel>
  )
}

function ChainNote({ isValid }: { isValid: boolean }) {
  const Icon = isValid ? ShieldCheck : ShieldAlert
  return (
    <span className={`flex items-center gap-1.5 ${isValid ? '' : 'text-bad'}`}>
      <Icon aria-hidden className="size-3.5" />
      {isValid ? 'The log is complete and unchanged.' : 'The log has been changed. Tell your platform admin.'}
    </span>
  )
}

function Timeline({ entries }: { entries: readonly Entry[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? entries : entries.slice(0, shownFirst)
  return (
    <>
      <ol className="flex flex-col">
        {shown.map((entry) => (
          <li key={entry.seq} className="relative border-line border-l pb-4 pl-5 last:pb-0">
            <span aria-hidden className="absolute top-1.5 -left-1 size-2 rounded-full bg-rule" />
            <p>{entryText(entry)}</p>
            <p className="flex flex-wrap gap-x-3 text-faint text-sm">
              <Time at={entry.at} />
              {entry.ip !== null && <span className="font-mono text-xs leading-5">{entry.ip}</span>}
            </p>
          </li>
        ))}
      </ol>
      {entries.length > shown.length && (
        <Button look="quiet" size="small" className="mt-3" onClick={() => setWhole(true)}>
          Show all {entries.length}
        </Button>
      )}
    </>
  )
}

/** The viewer's open tasks: documents to sign, approvals, then runs that failed in the last week. */
import { CircleAlert, CircleCheckBig, type LucideIcon, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { HrefLink } from '#ui/button/href-link.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Time } from '#ui/values/time.tsx'
import { useDocumentsToSign, useFailedRuns, useWaitingApprovals } from './api.ts'

interface WorklistProps {
  inboxHref: string
  approvalHref: (stepId: string) => string
  runHref: (workflowId: string, runId: string) => string
}

export function Worklist({ inboxHref, approvalHref, runHref }: WorklistProps) {
  const documents = useDocumentsToSign()
  const approvals = useWaitingApprovals()
  const runs = useFailedRuns()
  const parts = [documents, approvals, runs]
  const failed = parts.find(({ isError }) => isError)
  const isEmpty = documents.data?.length === 0 && approvals.data?.items.length === 0 && runs.data?.length === 0
  return (
    <Panel title="Waiting for you" isFlush>
      {failed && (
        <div className="px-5 pb-5">
          <ErrorPanel error={failed.error} onRetry={failed.refetch} />
        </div>
      )}
      {parts.some(({ isPending }) => isPending) && (
        <Loading label="Loading what waits for you">
          <div className="flex flex-col gap-3 px-5 pb-5">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-5 w-1/2" />
          </div>
        </Loading>
      )}
      {isEmpty && <p className="px-5 pb-5 text-soft">You’re all caught up.</p>}
      <ul className="divide-y divide-line">
        {documents.data?.map(({ recipientId, title, sender, askedAt }) => (
          <Item key={recipientId} href={inboxHref} icon={PenLine} title={title ?? 'Document'} at={askedAt}>
            {sender} asks you to sign
          </Item>
        ))}
        {approvals.data?.items.map(({ step_id, title, workflow_name, asked_at }) => (
          <Item key={step_id} href={approvalHref(step_id)} icon={CircleCheckBig} title={title} at={asked_at}>
            Approval for {workflow_name}
          </Item>
        ))}
        {runs.data?.map(({ id, workflow_id, workflow_name, error, created_at }) => (
          <Item
            key={id}
            href={runHref(workflow_id, id)}
            icon={CircleAlert}
            isBad
            title={`${workflow_name} failed`}
            at={created_at}
          >
            {error ?? 'No reason was given.'}
          </Item>
        ))}
      </ul>
    </Panel>
  )
}

interface ItemProps {
  href: string
  icon: LucideIcon
  isBad?: boolean
  title: string
  at: number | string
  children: ReactNode
}

const Item = ({ href, icon: Icon, isBad = false, title, at, children }: ItemProps) => (
  <li>
    <HrefLink href={href} className="flex items-start gap-3 px-5 py-3 transition-colors duration-150 hover:bg-sunken">
      <Icon aria-hidden className={`mt-0.5 size-4.5 shrink-0 ${isBad ? 'text-bad' : 'text-soft'}`} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="line-clamp-1 text-soft text-sm">{children}</span>
      </span>
      <span className="shrink-0 text-faint text-sm">
        <Time at={at} />
      </span>
    </HrefLink>
  </li>
)

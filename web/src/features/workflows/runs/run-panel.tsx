/** The run as a whole: input, output, failure, and related runs. */
import type { Run, RunItem } from '@chancery/contract/workflows/runs.ts'
import { ArrowRight } from 'lucide-react'
import { Button } from '#ui/button/button.tsx'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { Time } from '#ui/values/time.tsx'
import { RunStatusBadge } from '../status-badge.tsx'
import { useRelatedRuns } from './api.ts'
import { runInput } from './run-input.ts'
import type { RunLinks } from './run-links.ts'
import { nodeOfInterest } from './run-marks.ts'
import { failedUnanswered } from './unanswered.ts'

interface RunPanelProps {
  run: Run
  isLive: boolean
  links: RunLinks
  onNode: (nodeId: string) => void
}

export function RunPanel({ run, isLive, links, onNode }: RunPanelProps) {
  const focusId = nodeOfInterest(run)
  const given = runInput(run)
  return (
    <div className="flex flex-col gap-5 p-5">
      {run.error !== null && <Problem text={run.error} />}
      {failedUnanswered(run) && (
        <p className="text-soft text-sm">
          This test reached no other systems or people. Steps that read their answers found none.
        </p>
      )}
      {focusId !== undefined && (run.error !== null || run.status === 'waiting') && (
        <Button size="small" icon={ArrowRight} className="self-start" onClick={() => onNode(focusId)}>
          {run.status === 'waiting' ? 'Show waiting step' : 'Show failed step'}
        </Button>
      )}
      <JsonView label={given.label} value={given.value} />
      {!isLive && <JsonView label="Output" value={run.output} />}
      <Related run={run} isLive={isLive} links={links} />
      <dl className="flex flex-col gap-2 border-t pt-4 text-sm">
        <IdFact term="Run" id={run.id} />
        {run.correlation_id !== null && <IdFact term="Correlation ID" id={run.correlation_id} />}
        {run.finished_at !== null && (
          <div className="flex justify-between gap-4">
            <dt className="text-soft">Ended</dt>
            <dd>
              <Time at={run.finished_at} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  )
}

export const Problem = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap rounded-control border border-bad/30 bg-bad-wash px-3 py-2 text-bad [overflow-wrap:anywhere]">
    {text}
  </p>
)

const IdFact = ({ term, id }: { term: string; id: string }) => (
  <div className="flex items-center justify-between gap-4">
    <dt className="text-soft">{term}</dt>
    <dd className="flex min-w-0 items-center gap-1">
      <span className="truncate font-mono text-xs">{id}</span>
      <CopyButton text={id} label={`Copy ${term.toLowerCase()} id`} />
    </dd>
  </div>
)

/** All retries refer to the first run. */
function Related({ run, isLive, links }: Pick<RunPanelProps, 'run' | 'isLive' | 'links'>) {
  const first = run.retry_of ?? run.id
  const retries = useRelatedRuns({ retry_of: first }, run.retry_of !== null || run.status !== 'succeeded', isLive)
  const others = retries.data?.data.filter(({ id }) => id !== run.id) ?? []
  if (run.retry_of === null && run.parent_run_id === null && others.length === 0) return null
  return (
    <section aria-label="Related runs" className="flex flex-col gap-2 text-sm">
      <h3 className="font-medium">Related runs</h3>
      <ul className="flex flex-col gap-1.5">
        {run.parent_run_id !== null && (
          <li>
            <HrefLink href={links.run(run.workflow_id, run.parent_run_id)} className={subtleLink}>
              Parent run
            </HrefLink>
          </li>
        )}
        {run.retry_of !== null && (
          <li>
            <HrefLink href={links.run(run.workflow_id, run.retry_of)} className={subtleLink}>
              First attempt
            </HrefLink>
          </li>
        )}
        {others.map((other) => (
          <RunLink key={other.id} run={other} name="Retry" links={links} />
        ))}
      </ul>
    </section>
  )
}

interface RunLinkProps {
  run: RunItem
  name: string
  links: RunLinks
}

export const RunLink = ({ run, name, links }: RunLinkProps) => (
  <li className="flex flex-wrap items-center gap-2">
    <HrefLink href={links.run(run.workflow_id, run.id)} className={subtleLink}>
      {name}
    </HrefLink>
    <RunStatusBadge status={run.status} />
    <span className="text-faint">
      <Time at={run.created_at} />
    </span>
  </li>
)

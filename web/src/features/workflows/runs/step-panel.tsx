/** One node of a run: result, input and output, attempts, and a pending approval. */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { Run, RunStep } from '@chancery/contract/workflows/runs.ts'
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { AnswerForm } from '../answers/answer-form.tsx'
import { useRunApprovals } from '../answers/api.ts'
import { Message } from '../answers/message.tsx'
import { toneColours } from '../graph/marks.ts'
import { nodeKinds } from '../kinds/node-kinds.ts'
import { useRelatedRuns } from './api.ts'
import { attemptsOf, isKept, isOver } from './live-run.ts'
import { ModelCalls } from './model-calls.tsx'
import type { RunLinks } from './run-links.ts'
import { Problem, RunLink } from './run-panel.tsx'
import { detailOf, formatMoment, labelOf, toneOf } from './step-labels.ts'

interface StepPanelProps {
  run: Run
  node: GraphNode
  links: RunLinks
  onClose: () => void
}

export function StepPanel({ run, node, links, onClose }: StepPanelProps) {
  const attempts = attemptsOf(run, node.id)
  const [chosen, setChosen] = useState<number>()
  const step = attempts.find(({ attempt }) => attempt === chosen) ?? attempts.at(-1)
  const { icon: Icon, label } = nodeKinds[node.type]
  return (
    <div className="flex flex-col gap-5 p-5">
      <header className="flex items-start gap-3">
        <span className="flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken text-soft">
          <Icon aria-hidden className="size-4.5" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="font-medium text-md [overflow-wrap:anywhere]">{node.name}</h2>
          <p className="text-faint text-sm">{label}</p>
        </div>
        <IconButton label="Back to run" icon={X} onClick={onClose} />
      </header>
      {attempts.length > 1 && step && (
        <Segmented
          legend="Attempt"
          name="attempt"
          value={String(step.attempt)}
          options={attempts.map(({ attempt }) => ({ value: String(attempt), label: `Attempt ${attempt}` }))}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      {step ? <StepFacts run={run} step={step} links={links} /> : <Unreached isOver={isOver(run)} />}
    </div>
  )
}

const Unreached = ({ isOver: hasEnded }: { isOver: boolean }) => (
  <p className="text-soft">
    {hasEnded ? 'The run ended before it reached this node.' : 'The run hasn’t reached this node yet.'}
  </p>
)

function StepFacts({ run, step, links }: { run: Run; step: RunStep; links: RunLinks }) {
  const detail = detailOf(step, run)
  return (
    <>
      <p className="figures text-soft text-sm">
        <span className="font-medium" style={{ color: toneColours[toneOf(step)] }}>
          {labelOf(step)}
        </span>
        {step.status !== 'skipped' && ` · started ${formatMoment(step.started_at)}`}
        {detail !== '' && ` · ${detail}`}
      </p>
      {isKept(step) && <p className="text-soft text-sm">Reused from the run that this one retries.</p>}
      {step.status === 'skipped' && <p className="text-soft">Another output was used.</p>}
      {step.node_type === 'approval' && step.status === 'waiting' && <Question run={run} step={step} />}
      {step.error !== null && <Problem text={step.error} />}
      {step.warnings.length > 0 && (
        <ul aria-label="Warnings" className="rounded-panel border border-warn/40 bg-warn-wash/40 px-4 py-2 text-sm">
          {step.warnings.map((text) => (
            <li key={text} className="[overflow-wrap:anywhere]">
              {text}
            </li>
          ))}
        </ul>
      )}
      {step.logs.length > 0 && (
        <section aria-label="Console" className="flex flex-col gap-1.5">
          <h3 className="font-medium text-sm">Console</h3>
          <pre className="max-h-72 overflow-auto whitespace-pre-wrap rounded-control bg-sunken px-3 py-2 font-mono text-xs">
            {step.logs.join('\n')}
          </pre>
        </section>
      )}
      {step.status !== 'skipped' && <JsonView label="Input" value={step.input} />}
      {step.finished_at !== null && step.status !== 'skipped' && <JsonView label="Output" value={step.output} />}
      {step.node_type === 'agent' && step.status !== 'skipped' && <ModelCalls run={run} step={step} />}
      {['subworkflow', 'for_each', 'loop'].includes(step.node_type) && (
        <Started run={run} nodeId={step.node_id} links={links} />
      )}
      {step.node_type === 'signature' && <SentDocument output={step.output} />}
    </>
  )
}

/** The document that a signature node sent, while it is out and afterwards. */
function SentDocument({ output }: { output: unknown }) {
  const { document_id: id, title } = (output ?? {}) as { document_id?: unknown; title?: unknown }
  if (typeof id !== 'string') return null
  return (
    <p>
      <a href={`/documents/${id}`} className="underline decoration-rule underline-offset-4 hover:decoration-seal">
        {typeof title === 'string' ? title : 'Open the document'}
      </a>
    </p>
  )
}

/** Shown to the approvers; others only see that an approval is pending. */
function Question({ run, step }: { run: Run; step: RunStep }) {
  const approvals = useRunApprovals(run.id, step.id)
  const approval = approvals.data?.items.find(({ step_id }) => step_id === step.id)
  if (!approval && approvals.isError) return <ErrorPanel error={approvals.error} onRetry={approvals.refetch} />
  if (!approval) return approvals.isPending ? null : <p className="text-soft">Waiting for someone else’s approval.</p>
  return (
    <section
      aria-label="Approval"
      className="flex flex-col gap-4 rounded-panel border border-warn/40 bg-warn-wash/40 p-4"
    >
      <h3 className="font-medium font-serif text-md [overflow-wrap:anywhere]">{approval.title}</h3>
      {approval.message.trim() !== '' && <Message text={approval.message} />}
      <AnswerForm approval={approval} />
    </section>
  )
}

/** Runs started by this node. */
function Started({ run, nodeId, links }: { run: Run; nodeId: string; links: RunLinks }) {
  const children = useRelatedRuns({ parent_run_id: run.id }, true, !isOver(run))
  const own = children.data?.data.filter(({ parent_node_id }) => parent_node_id === nodeId).toReversed() ?? []
  if (own.length === 0) return null
  return (
    <section aria-label="Runs started by this node" className="flex flex-col gap-2 text-sm">
      <h3 className="font-medium">Runs started by this node</h3>
      <ol className="flex flex-col gap-1.5">
        {own.map((child, index) => (
          <RunLink key={child.id} run={child} name={`${index + 1}. ${child.workflow_name}`} links={links} />
        ))}
      </ol>
    </section>
  )
}

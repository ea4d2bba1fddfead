/** An agent's calls to the model in one attempt, collapsed. Loaded when they are opened. */
import type { Run, RunStep } from '@chancery/contract/workflows/runs.ts'
import type { ModelCall } from '@chancery/contract/workflows/traces.ts'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatDuration } from '#lib/time/durations.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { useModelCalls } from './api.ts'
import { isKept } from './live-run.ts'
import { Problem } from './run-panel.tsx'
import { formatCost, formatTokens, tokensOf } from './step-labels.ts'

interface ModelCallsProps {
  run: Run
  step: RunStep
}

export function ModelCalls({ run, step }: ModelCallsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Fold title={<h3 className="font-medium text-sm">Model calls</h3>} onOpen={setOpen}>
      {isOpen && <Calls key={step.id} run={run} step={step} />}
    </Fold>
  )
}

function Calls({ run, step }: ModelCallsProps) {
  const calls = useModelCalls(run.id, step)
  if (calls.isError) return <ErrorPanel error={calls.error} onRetry={calls.refetch} />
  if (calls.isPending)
    return (
      <Loading label="Loading model calls">
        <Skeleton className="h-9" />
      </Loading>
    )
  const { data } = calls.data
  if (data.length === 0) return <p className="text-soft text-sm">{noCalls(step)}</p>
  return (
    <ol className="flex flex-col gap-2">
      {data.map((call) => (
        <li key={call.number} className="rounded-control border px-3 py-2">
          <Fold title={<CallTitle call={call} currency={run.currency} />}>
            <CallFacts call={call} />
          </Fold>
        </li>
      ))}
    </ol>
  )
}

const noCalls = (step: RunStep): string => {
  if (isKept(step)) return 'The calls are in the run that this one retries.'
  return step.status === 'running' ? 'The first call hasn’t ended yet.' : 'This step made no calls to a model.'
}

function CallTitle({ call, currency }: { call: ModelCall; currency: string | null }) {
  const tokens = tokensOf({ prompt_tokens: call.prompt_tokens ?? 0, completion_tokens: call.completion_tokens ?? 0 })
  const names = call.tool_calls.map(({ name }) => name).join(', ')
  const facts = [
    names === '' ? '' : `→ ${names}`,
    formatDuration(call.duration_ms),
    tokens > 0 ? formatTokens(tokens) : '',
    formatCost({ cost: call.cost, cost_is_partial: false }, currency),
  ]
  return (
    <span className="figures min-w-0 text-sm [overflow-wrap:anywhere]">
      <span className="font-medium">
        {call.number}. {call.model}
      </span>
      {call.error !== null && <span className="text-bad"> · Failed</span>}
      <span className="text-soft">{facts.map((fact) => (fact === '' ? '' : ` · ${fact}`)).join('')}</span>
    </span>
  )
}

function CallFacts({ call }: { call: ModelCall }) {
  const settings = Object.entries(call.settings).map(([name, value]) => `${name} ${value}`)
  const facts = [
    call.tools.length > 0 ? `Tools offered: ${call.tools.join(', ')}` : '',
    settings.join(' · '),
    call.finish_reason === null ? '' : `Finish reason: ${call.finish_reason}`,
    call.is_cut ? 'Some of this call was too long to keep.' : '',
  ].filter((fact) => fact !== '')
  return (
    <div className="flex flex-col gap-4">
      {call.error !== null && <Problem text={call.error} />}
      {call.earlier_messages > 0 && (
        <p className="text-soft text-sm">
          Sent after {call.earlier_messages} {call.earlier_messages === 1 ? 'message' : 'messages'} shown above.
        </p>
      )}
      {call.messages.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The messages of a call never change.
        <JsonView key={index} label={roleLabels[role] ?? role} value={content} />
      ))}
      {call.answer !== null && call.answer !== '' && <JsonView label="Answer" value={call.answer} />}
      {call.tool_calls.map(({ id, name, arguments: given, result, duration_ms }) => (
        <section key={id} aria-label={`Tool ${name}`} className="flex flex-col gap-2 border-l-2 pl-3">
          <p className="figures text-sm">
            <span className="font-medium">{name}</span>
            <span className="text-soft">
              {duration_ms === null ? ' · no result' : ` · ${formatDuration(duration_ms)}`}
            </span>
          </p>
          <JsonView label="Arguments" value={given} />
          {result !== null && <JsonView label="Result" value={result} />}
        </section>
      ))}
      {facts.length > 0 && <p className="text-soft text-sm [overflow-wrap:anywhere]">{facts.join('. ')}</p>}
    </div>
  )
}

const roleLabels: Record<string, string> = {
  system: 'System prompt',
  user: 'Prompt',
  assistant: 'Assistant',
  tool: 'Tool result',
}

interface FoldProps {
  title: ReactNode
  onOpen?: (isOpen: boolean) => void
  children: ReactNode
}

const Fold = ({ title, onOpen, children }: FoldProps) => (
  <details
    className="group/fold"
    onToggle={(event) => event.target === event.currentTarget && onOpen?.(event.currentTarget.open)}
  >
    <summary className="flex list-none items-center gap-1.5 rounded-control [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden
        className="size-3.5 shrink-0 text-faint transition-transform [[open]>summary>&]:rotate-90"
      />
      {title}
    </summary>
    <div className="mt-3">{children}</div>
  </details>
)

/** Applies stream frames to a run: each frame is complete and replaces what was known. */
import type { Run, RunItem, RunStep } from '@chancery/contract/workflows/runs.ts'
import { terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'

export const isOver = ({ status }: Pick<RunItem, 'status'>): boolean => terminalRunStatuses.includes(status)

export const withItem = (run: Run, item: RunItem): Run => ({ ...run, ...item })

export function withStep(run: Run, step: RunStep): Run {
  const isKnown = run.steps.some(({ id }) => id === step.id)
  const steps = isKnown ? run.steps.map((known) => (known.id === step.id ? step : known)) : [...run.steps, step]
  return { ...run, steps: steps.toSorted((one, other) => one.number - other.number || one.offset_ms - other.offset_ms) }
}

/** The attempts of a node, in order. */
export const attemptsOf = (run: Pick<Run, 'steps'>, nodeId: string): RunStep[] =>
  run.steps.filter(({ node_id }) => node_id === nodeId).toSorted((one, other) => one.attempt - other.attempt)

type Spent = Pick<RunStep, 'prompt_tokens' | 'completion_tokens' | 'cost' | 'cost_is_partial'>

/** The total usage of all attempts of a node. */
export function spentOn(run: Pick<Run, 'steps'>, nodeId: string): Spent {
  const attempts = attemptsOf(run, nodeId)
  const priced = attempts.flatMap(({ cost }) => cost ?? [])
  const hasUnpriced = attempts.some(
    (step) => step.cost_is_partial || (step.cost === null && step.prompt_tokens + step.completion_tokens > 0),
  )
  return {
    prompt_tokens: sum(attempts.map(({ prompt_tokens }) => prompt_tokens)),
    completion_tokens: sum(attempts.map(({ completion_tokens }) => completion_tokens)),
    cost: priced.length === 0 ? null : sum(priced),
    cost_is_partial: priced.length > 0 && hasUnpriced,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** The step that represents the node: its last attempt. */
export const lastSteps = ({ steps }: Pick<Run, 'steps'>): Map<string, RunStep> => {
  const last = new Map<string, RunStep>()
  for (const step of steps) {
    const known = last.get(step.node_id)
    if (known === undefined || known.attempt <= step.attempt) last.set(step.node_id, step)
  }
  return last
}

/** Reused from the run that this one retries. */
export const isKept = (step: Pick<RunStep, 'offset_ms'>): boolean => step.offset_ms < 0

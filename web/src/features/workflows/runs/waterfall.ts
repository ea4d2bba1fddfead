/** The position of a step between the start and end of its run, in percent. */
import type { Run, RunStep } from '@chancery/contract/workflows/runs.ts'
import { isKept } from './live-run.ts'

export interface Bar {
  step: RunStep
  /** In percent of the whole. */
  left: number
  width: number
  /** Still running. */
  isOpen: boolean
}

/** A minimum width, so even an instant step is visible. */
const minWidth = 0.8

/** Skipped steps are left out; `nowMs` ends steps that are still running. */
export function layOutBars(run: Pick<Run, 'steps' | 'started_at_ms'>, nowMs: number): Bar[] {
  const sinceStart = run.started_at_ms === null ? 0 : Math.max(0, nowMs - run.started_at_ms)
  const endOf = (step: RunStep) => (step.finished_at === null ? sinceStart : step.offset_ms + (step.duration_ms ?? 0))
  const shown = run.steps.filter(({ status }) => status !== 'skipped')
  const own = shown.filter((step) => !isKept(step))
  const total = Math.max(1, ...own.map(endOf))
  return shown.map((step) => {
    if (isKept(step)) return { step, left: 0, width: 0, isOpen: false }
    const width = Math.max(minWidth, ((endOf(step) - step.offset_ms) / total) * 100)
    const left = Math.min((step.offset_ms / total) * 100, 100 - minWidth)
    return { step, left, width: Math.min(width, 100 - left), isOpen: step.finished_at === null }
  })
}

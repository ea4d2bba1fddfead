/** The Start node of a workflow, kept current with its triggers. */
import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import { useMemo } from 'react'
import { counted } from '#lib/text/counted.ts'
import { useWorkflow } from '../api.ts'
import type { Tone } from '../graph/marks.ts'
import type { Start, StartRow } from '../graph/start-node.ts'
import { useTriggers } from './api.ts'
import { kindIcons, type TriggerStatus, triggerStatus, triggerSummary } from './trigger-labels.ts'

const tones: Record<TriggerStatus['tone'], Tone> = { good: 'done', warn: 'waiting', bad: 'failed', plain: 'faded' }

const detailOf = (trigger: Trigger): string => {
  if (trigger.kind === 'event') return trigger.filter_expr ?? ''
  return trigger.kind === 'cron' ? trigger.timezone.replaceAll('_', ' ') : `publishes ${trigger.event_type}`
}

const startRow = (trigger: Trigger, fires: boolean): StartRow => {
  const { label, tone } = triggerStatus(trigger, fires)
  return {
    id: trigger.id,
    icon: kindIcons[trigger.kind],
    text: trigger.kind === 'webhook' ? 'On a webhook' : triggerSummary(trigger),
    detail: detailOf(trigger),
    status: label,
    tone: tones[tone],
  }
}

/** While triggers load, the node is there without them, so that nothing moves when they arrive. */
export function startOf(triggers: readonly Trigger[] | undefined, fires: boolean): Start {
  if (triggers === undefined) return { summary: 'Triggers', rows: [] }
  if (triggers.length === 0) return { summary: 'No triggers, run manually', rows: [] }
  return { summary: counted(triggers.length, 'trigger'), rows: triggers.map((trigger) => startRow(trigger, fires)) }
}

export function useStart(workflowId: string): Start {
  const { data: triggers } = useTriggers(workflowId)
  const fires = useWorkflow(workflowId).data?.fires ?? false
  return useMemo(() => startOf(triggers?.items, fires), [triggers, fires])
}

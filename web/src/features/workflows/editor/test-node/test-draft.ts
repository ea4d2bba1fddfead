/** The values for testing a single node: results of the nodes before it, a recent event, or an input. Pure. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Run } from '@chancery/contract/workflows/runs.ts'
import { writeJson } from '../../json-text.ts'
import { draftOf, eventOf, inputChoice } from '../../run-now/event-draft.ts'
import { lastSteps } from '../../runs/live-run.ts'

export interface TestDraft {
  /** `outputs`, an event's ID, or `input`. */
  choice: string
  /** JSON as typed. */
  text: string
}

export const outputsChoice = 'outputs'

/** The nodes whose results this one reads first. */
export const sourcesOf = ({ edges }: Pick<Graph, 'edges'>, nodeId: string): string[] => [
  ...new Set(edges.filter(({ target }) => target === nodeId).map(({ source }) => source)),
]

/** A saved sample if it can be read, else results to fill in, else the newest event. */
export function firstTest(sources: readonly string[], events: readonly ListedEvent[], saved?: string): TestDraft {
  const sample = readSample(saved)
  const isKnown =
    sample && [outputsChoice, inputChoice, ...events.map(({ event_id }) => event_id)].includes(sample.choice)
  if (sample && isKnown) return sample
  if (sources.length > 0) return draftFor(outputsChoice, sources, events)
  return draftFor(events[0]?.event_id ?? inputChoice, sources, events)
}

function readSample(saved: string | undefined): TestDraft | undefined {
  try {
    const value: unknown = JSON.parse(saved ?? 'null')
    const isSample = typeof value === 'object' && value !== null && 'choice' in value && 'text' in value
    return isSample ? { choice: String(value.choice), text: String(value.text) } : undefined
  } catch {
    return undefined
  }
}

/** The draft of a new choice. */
export function draftFor(choice: string, sources: readonly string[], events: readonly ListedEvent[]): TestDraft {
  if (choice === outputsChoice) return { choice, text: writeJson(Object.fromEntries(sources.map((id) => [id, {}]))) }
  const event = events.find(({ event_id }) => event_id === choice)
  return { choice, text: event ? draftOf(event).payload : '{}' }
}

/** These nodes' results in the run. Of a condition, the output it took. */
export function outputsOf(run: Pick<Run, 'steps'>, nodeIds: readonly string[]): Record<string, unknown> {
  const last = lastSteps(run)
  const found = nodeIds.flatMap((id) => {
    const step = last.get(id)
    if (step?.status !== 'succeeded') return []
    return [[id, step.node_type === 'condition' ? { handle: step.handle } : step.output] as const]
  })
  return Object.fromEntries(found)
}

export function testBody({ choice, text }: TestDraft, value: unknown, events: readonly ListedEvent[]) {
  if (choice === outputsChoice) return { outputs: value ?? {} }
  const event = eventOf({ choice, payload: text }, value ?? null, events)
  return event ? { event } : { input: value ?? null }
}

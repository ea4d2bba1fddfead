/** What the canvas shows of a run: how each node stands, and which ways were taken. */
import type { Graph } from '@chancery/contract/workflow-graph.ts'
import type { Run, RunStep } from '@chancery/contract/workflow-runs.ts'
import type { NodeMark, Tone } from '../graph/marks.ts'
import { isOver, lastSteps, spentOn } from './live-run.ts'
import { detailOf, labelOf, toneOf } from './step-words.ts'

type Seen = Pick<Run, 'steps' | 'status' | 'currency'>

/** A node that the run has not reached is unmarked while it may be, and faded once it cannot be any more. */
export function nodeMarks(graph: Graph, run: Seen): Map<string, NodeMark> {
  const last = lastSteps(run)
  const marks = new Map<string, NodeMark>()
  for (const { id } of graph.nodes) {
    const step = last.get(id)
    if (step) marks.set(id, markOf(step, run))
    else if (isOver(run)) marks.set(id, { tone: 'faded', label: 'Not reached' })
  }
  return marks
}

/** The last attempt stands for its node, with what all of them used. */
function markOf(step: RunStep, run: Seen): NodeMark {
  const detail = detailOf({ ...step, ...spentOn(run, step.node_id) }, run)
  return {
    tone: toneOf(step),
    label: labelOf(step),
    ...(detail !== '' && { detail }),
    ...((step.status === 'running' || step.status === 'retrying') && { isPulsing: true }),
  }
}

/** A way was taken where its node was left by it; it is lively while what it leads to is at work. */
export function edgeMarks(graph: Graph, run: Seen): Map<string, Tone> {
  const last = lastSteps(run)
  const marks = new Map<string, Tone>()
  for (const { id, source, target, source_handle } of graph.edges) {
    const from = last.get(source)
    const to = last.get(target)
    if (from === undefined || isOpen(from)) continue
    const wasTaken = from.status !== 'skipped' && (from.handle ?? null) === (source_handle || null)
    if (!wasTaken) marks.set(id, 'faded')
    else if (to?.status === 'running') marks.set(id, 'running')
    else if (from.status === 'succeeded' || from.handle !== null) marks.set(id, 'done')
  }
  return marks
}

const isOpen = ({ status }: RunStep) => status === 'running' || status === 'waiting' || status === 'retrying'

/** Where the eye should go when nobody has chosen: what failed, else what is at work or waits, else the end. */
export function nodeOfInterest(run: Seen): string | undefined {
  const last = [...lastSteps(run).values()]
  const found =
    last.find(({ status }) => status === 'failed') ??
    last.find(({ status }) => status === 'waiting') ??
    last.find(isOpen) ??
    last.filter(({ status }) => status === 'succeeded').at(-1)
  return found?.node_id
}

/** A run on the canvas: the state of each node, and the edges it followed. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Run, RunStep } from '@chancery/contract/workflows/runs.ts'
import type { NodeMark, Tone } from '../graph/marks.ts'
import { type Entries, entriesOf } from '../graph/start-node.ts'
import { isOver, lastSteps, spentOn } from './live-run.ts'
import { detailOf, labelOf, toneOf } from './step-labels.ts'

type Seen = Pick<Run, 'steps' | 'status' | 'currency'>

/** A node that the run hasn't reached is unmarked while it still may be, and faded once it can't be. */
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

/** The last attempt represents the node, with the usage of all attempts. */
function markOf(step: RunStep, run: Seen): NodeMark {
  const detail = detailOf({ ...step, ...spentOn(run, step.node_id) }, run)
  return {
    tone: toneOf(step),
    label: labelOf(step),
    ...(detail !== '' && { detail }),
    ...((step.status === 'running' || step.status === 'retrying') && { isPulsing: true }),
  }
}

/** An edge was followed if its node finished with that output; it is animated while the next node is active. */
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

/** The nodes where this run began. A test of one node begins elsewhere than the graph does. */
export function reachedEntries(graph: Graph, run: Seen): Entries {
  const last = lastSteps(run)
  return new Map([...entriesOf(graph).keys()].map((id) => [id, last.has(id) ? 'done' : undefined]))
}

const isOpen = ({ status }: RunStep) => status === 'running' || status === 'waiting' || status === 'retrying'

/** The node to focus if none is selected: what failed, else what is active or waiting, else the end. */
export function nodeOfInterest(run: Seen): string | undefined {
  const last = [...lastSteps(run).values()]
  const found =
    last.find(({ status }) => status === 'failed') ??
    last.find(({ status }) => status === 'waiting') ??
    last.find(isOpen) ??
    last.filter(({ status }) => status === 'succeeded').at(-1)
  return found?.node_id
}

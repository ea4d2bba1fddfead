/** Runs another workflow once for each item, several at a time. Results are in the order of the items. */
import { NodeFailure } from '../core/backoff.ts'
import type { ChildRun, ConfigOf, Executor, NodeCall } from '../shared/node-interface.ts'
import {
  type Child,
  type ChildNeeds,
  continueChild,
  failed,
  getLive,
  listChildren,
  readOutputs,
  requireRoom,
  waitFor,
} from './children.ts'
import { type ExpressionNeeds, evaluateAll } from './expressions.ts'

type Call = NodeCall<ConfigOf<'for_each'>>

const defaultParallel = 4
const defaultMaxItems = 1000

export const forEach =
  (needs: ChildNeeds & ExpressionNeeds): Executor<ConfigOf<'for_each'>> =>
  async (call) => {
    const items = await readItems(needs, call)
    const children = items.length === 0 ? new Map<number, Child>() : await listChildren(needs, call)
    const failures = [...children.values()].filter(({ state, isOwn }) => state === 'failed' && isOwn)
    const [first] = failures
    if (first && call.config.on_item_error !== 'collect') throw failed(`Item ${first.index + 1}`, first)
    const active = [...children.values()].filter(({ state }) => state === 'active')
    const missing = [...items.keys()].filter((index) => isMissing(children.get(index)))
    if (missing.length + active.length === 0)
      return { kind: 'done', output: await outputOf(needs, call, { items, children, failures }) }
    const room = Math.max(0, (call.config.parallel ?? defaultParallel) - active.length)
    const starting = missing.slice(0, room)
    if (starting.length === 0) return waitFor(active, call.now)
    return { ...waitFor(active, call.now), children: await startAll(needs, call, { items, starting, children }) }
  }

/** An item that failed in an earlier run of the line is tried again; one that failed in this run is not. */
const isMissing = (child: Child | undefined): boolean => !child || (child.state === 'failed' && !child.isOwn)

interface Ended {
  items: readonly unknown[]
  children: ReadonlyMap<number, Child>
  failures: readonly Child[]
}

const outputOf = async (needs: ChildNeeds, call: Call, { items, children, failures }: Ended): Promise<unknown> => {
  const succeeded = [...children.values()].filter(({ state }) => state === 'succeeded')
  const outputs = await readOutputs(needs, succeeded)
  const list = items.map((_item, index) => outputs.get(index) ?? null)
  if (call.config.on_item_error !== 'collect') return list
  const errors = failures.map(({ index, error, runId }) => ({ index, error, run_id: runId }))
  return { items: list, errors: errors.toSorted((one, other) => one.index - other.index) }
}

interface Starting {
  items: readonly unknown[]
  starting: readonly number[]
  children: ReadonlyMap<number, Child>
}

const startAll = async (
  needs: ChildNeeds,
  call: Call,
  { items, starting, children }: Starting,
): Promise<ChildRun[]> => {
  await requireRoom(needs, call, starting.length)
  const started: ChildRun[] = []
  for (const index of starting) {
    const earlier = children.get(index)
    if (earlier) started.push(await continueChild(needs, earlier))
    else started.push({ live: await getLive(needs, call, call.config.workflow_id), index, input: items[index] })
  }
  return started
}

/** The same each time: the state a node sees doesn't change while it waits. */
const readItems = async (needs: ExpressionNeeds, call: Call): Promise<unknown[]> => {
  const [items] = await evaluateAll(needs, call, [call.config.items])
  const maxItems = call.config.max_items ?? defaultMaxItems
  if (!Array.isArray(items)) throw new NodeFailure('The items expression must return a list.', { canRetry: false })
  if (items.length > maxItems)
    throw new NodeFailure(`There are ${items.length} items, and at most ${maxItems} are allowed.`, { canRetry: false })
  return items
}

/** Runs another workflow once for each item, several at a time. Results are in the order of the items. */
import { NodeFailure } from '../core/backoff.ts'
import type { ChildRun, ConfigOf, Executor, NodeCall } from '../node-face.ts'
import { getRunUnscoped } from '../queries/children.ts'
import { type Child, type ChildNeeds, failed, getLive, listChildren, readOutputs, waitFor } from './children.ts'
import { type ExpressionNeeds, evaluateAll } from './expressions.ts'

type Call = NodeCall<ConfigOf<'for_each'>>

const defaultParallel = 4
const defaultMaxItems = 1000

export const forEach =
  (needs: ChildNeeds & ExpressionNeeds): Executor<ConfigOf<'for_each'>> =>
  async (call) => {
    const items = await readItems(needs, call)
    if (items.length === 0) return { kind: 'done', output: [] }
    const children = await listChildren(needs, call)
    const failedChild = [...children.values()].find(({ state, isOwn }) => state === 'failed' && isOwn)
    if (failedChild) throw failed(`Item ${failedChild.index + 1}`, failedChild)
    const active = [...children.values()].filter(({ state }) => state === 'active')
    const missing = [...items.keys()].filter((index) => (children.get(index)?.state ?? 'failed') === 'failed')
    if (missing.length + active.length === 0) {
      const outputs = await readOutputs(needs, children.values())
      return { kind: 'done', output: items.map((_item, index) => outputs.get(index) ?? null) }
    }
    const room = Math.max(0, (call.config.parallel ?? defaultParallel) - active.length)
    const starting = missing.slice(0, room)
    if (starting.length === 0) return waitFor(active, call.now)
    return { ...waitFor(active, call.now), children: await startAll(needs, call, { items, starting, children }) }
  }

interface Starting {
  items: readonly unknown[]
  starting: readonly number[]
  children: ReadonlyMap<number, Child>
}

/** An item that failed in an earlier run of the line is continued, so that nothing it finished is repeated. */
const startAll = async (
  needs: ChildNeeds,
  call: Call,
  { items, starting, children }: Starting,
): Promise<ChildRun[]> => {
  const started: ChildRun[] = []
  for (const index of starting) {
    const earlier = children.get(index)
    if (earlier) started.push({ retry: await getRunUnscoped(needs.db, earlier.runId), index })
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

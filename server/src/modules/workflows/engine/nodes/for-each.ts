/** Runs another workflow once for each item, several at a time. Results are in the order of the items. */
import { NodeFailure } from '../core/backoff.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../node-face.ts'
import { type ChildNeeds, failed, getLive, listChildren, readOutputs } from './children.ts'
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
    const failedChild = children.find(({ isActive, hasSucceeded }) => !isActive && !hasSucceeded)
    if (failedChild) throw failed(`Item ${failedChild.index + 1}`, failedChild)
    const active = children.filter(({ isActive }) => isActive)
    const started = new Set(children.map(({ index }) => index))
    const missing = [...items.keys()].filter((index) => !started.has(index))
    if (missing.length + active.length === 0) return finish(items, await readOutputs(needs, call))
    const room = (call.config.parallel ?? defaultParallel) - active.length
    const indexes = missing.slice(0, Math.max(0, room))
    if (indexes.length === 0) return { kind: 'waiting', wakeAt: null }
    const live = await getLive(needs, call, call.config.workflow_id)
    return { kind: 'waiting', wakeAt: null, children: indexes.map((index) => ({ live, index, input: items[index] })) }
  }

const finish = (items: readonly unknown[], outputs: ReadonlyMap<number, unknown>): NodeResult => ({
  kind: 'done',
  output: items.map((_item, index) => outputs.get(index) ?? null),
})

/** The same each time: the state a node sees doesn't change while it waits. */
const readItems = async (needs: ExpressionNeeds, call: Call): Promise<unknown[]> => {
  const [items] = await evaluateAll(needs, call, [call.config.items])
  const maxItems = call.config.max_items ?? defaultMaxItems
  if (!Array.isArray(items)) throw new NodeFailure('The items expression must return a list.', { canRetry: false })
  if (items.length > maxItems)
    throw new NodeFailure(`There are ${items.length} items, and at most ${maxItems} are allowed.`, { canRetry: false })
  return items
}

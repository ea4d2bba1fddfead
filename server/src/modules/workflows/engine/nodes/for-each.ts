/** Runs another workflow once for each item, so many at a time; the results stand in the order of the items. */
import { toJson } from '#kernel/expression/index.ts'
import { NodeFailure } from '../backoff.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../node-face.ts'
import { type ChildNeeds, failed, getLive, listChildren, readOutputs } from './children.ts'
import { compiled, valuesOf } from './expressions.ts'

type Call = NodeCall<ConfigOf<'for_each'>>

const usualWidth = 4
const usualMostItems = 1000

export const forEach =
  (needs: ChildNeeds): Executor<ConfigOf<'for_each'>> =>
  async (call) => {
    const items = itemsOf(call)
    if (items.length === 0) return { kind: 'done', output: [] }
    const children = await listChildren(needs, call)
    const lost = children.find(({ isActive, hasSucceeded }) => !isActive && !hasSucceeded)
    if (lost) throw failed(`Item ${lost.place + 1}`, lost)
    const active = children.filter(({ isActive }) => isActive)
    const started = new Set(children.map(({ place }) => place))
    const missing = [...items.keys()].filter((place) => !started.has(place))
    if (missing.length + active.length === 0) return finish(items, await readOutputs(needs, call))
    const room = (call.config.parallel ?? usualWidth) - active.length
    const places = missing.slice(0, Math.max(0, room))
    if (places.length === 0) return { kind: 'waiting', wakeAt: null }
    const live = await getLive(needs, call, call.config.workflow_id)
    return { kind: 'waiting', wakeAt: null, children: places.map((place) => ({ live, place, input: items[place] })) }
  }

const finish = (items: readonly unknown[], outputs: ReadonlyMap<number, unknown>): NodeResult => ({
  kind: 'done',
  output: items.map((_item, place) => outputs.get(place) ?? null),
})

/** The same each time: the state of a node does not change while it waits. */
const itemsOf = (call: Call): unknown[] => {
  const items = toJson(compiled(call.config.items).evaluate(valuesOf(call)))
  const most = call.config.max_items ?? usualMostItems
  if (!Array.isArray(items)) throw new NodeFailure('What it should go through is no list.', { canRetry: false })
  if (items.length > most)
    throw new NodeFailure(`There are ${items.length} items; it may go through ${most}.`, { canRetry: false })
  return items
}

/**
 * Runs another workflow again and again, each time on the output of the last. Each iteration is a child run with its
 * number, so a crash continues with the iteration it interrupted, and a retry keeps those that succeeded.
 */
import { defaultLoopIterations } from '@chancery/contract/workflows/graph.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../shared/node-interface.ts'
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
import { type ExpressionNeeds, findHolding } from './expressions.ts'

type Call = NodeCall<ConfigOf<'loop'>>
type Needs = ChildNeeds & ExpressionNeeds

export const loop =
  (needs: Needs): Executor<ConfigOf<'loop'>> =>
  async (call) => {
    const children = await listChildren(needs, call)
    let done = 0
    while (children.get(done)?.state === 'succeeded') done += 1
    const child = children.get(done)
    if (child?.state === 'active') return waitFor([child], call.now)
    if (child) return retryChild(needs, child)
    const last = children.get(done - 1)
    if (!last) return startNext(needs, call, { index: 0, input: firstInput(call) })
    const output = (await readOutputs(needs, [last])).get(last.index) ?? null
    return (await endOf(needs, call, { output, done })) ?? startNext(needs, call, { index: done, input: output })
  }

const firstInput = ({ config, input, fill }: Call): unknown => (config.input === undefined ? input : fill(config.input))

const retryChild = async (needs: Needs, child: Child): Promise<NodeResult> => {
  if (child.isOwn) throw failed(`Iteration ${child.index + 1}`, child)
  return { kind: 'waiting', wakeAt: null, children: [await continueChild(needs, child)] }
}

const startNext = async (
  needs: Needs,
  call: Call,
  { index, input }: { index: number; input: unknown },
): Promise<NodeResult> => {
  await requireRoom(needs, call, 1)
  const live = await getLive(needs, call, call.config.workflow_id)
  return { kind: 'waiting', wakeAt: null, children: [{ live, index, input }] }
}

const endOf = async (
  needs: Needs,
  call: Call,
  { output, done }: { output: unknown; done: number },
): Promise<NodeResult | undefined> => {
  const { stop_when: condition, max_iterations = defaultLoopIterations } = call.config
  const { state, input, event } = call
  const ended: NodeResult = { kind: 'done', output: { output, iterations: done } }
  if (condition !== undefined) {
    const more = { output, iteration: done }
    if ((await findHolding(needs, { state, input, event, more }, [condition])) === 0) return ended
  }
  if (done < max_iterations) return undefined
  return condition === undefined ? ended : { ...ended, handle: 'limit' }
}

/** Runs another workflow and waits for its output. */
import type { ConfigOf, Executor } from '../shared/node-interface.ts'
import {
  type ChildNeeds,
  continueChild,
  failed,
  getLive,
  listChildren,
  readOutputs,
  requireRoom,
  waitFor,
} from './children.ts'

export const subworkflow =
  (needs: ChildNeeds): Executor<ConfigOf<'subworkflow'>> =>
  async (call) => {
    const { config, input, waiting, now } = call
    const child = (await listChildren(needs, call)).get(0)
    if (child?.state === 'succeeded')
      return { kind: 'done', output: (await readOutputs(needs, [child])).get(0) ?? null }
    if (child?.state === 'failed' && child.isOwn) throw failed('The called workflow', child)
    if (child?.state === 'failed')
      return { kind: 'waiting', wakeAt: null, children: [await continueChild(needs, child)] }
    if (child || waiting) return waitFor(child ? [child] : [], now)
    await requireRoom(needs, call, 1)
    const live = await getLive(needs, call, config.workflow_id)
    const childInput = config.input === undefined ? input : call.fill(config.input)
    return { kind: 'waiting', wakeAt: null, children: [{ live, index: 0, input: childInput }] }
  }

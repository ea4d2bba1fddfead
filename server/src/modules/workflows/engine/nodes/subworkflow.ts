/** Runs another workflow and waits for its output. */
import { fillTemplates } from '../../graph/template.ts'
import type { ConfigOf, Executor } from '../node-face.ts'
import { type ChildNeeds, failed, getLive, listChildren, readOutputs } from './children.ts'

export const subworkflow =
  (needs: ChildNeeds): Executor<ConfigOf<'subworkflow'>> =>
  async (call) => {
    const { config, state, input, waiting } = call
    const [child] = await listChildren(needs, call)
    if (!child && !waiting) {
      const live = await getLive(needs, call, config.workflow_id)
      const childInput = config.input === undefined ? input : fillTemplates(config.input, state)
      return { kind: 'waiting', wakeAt: null, children: [{ live, index: 0, input: childInput }] }
    }
    if (!child || child.isActive) return { kind: 'waiting', wakeAt: null }
    if (!child.hasSucceeded) throw failed('The called workflow', child)
    return { kind: 'done', output: (await readOutputs(needs, call)).get(child.index) ?? null }
  }

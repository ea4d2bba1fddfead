/** Runs another workflow and waits for what it comes to. */
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
      const given = config.input === undefined ? input : fillTemplates(config.input, state)
      return { kind: 'waiting', wakeAt: null, children: [{ live, place: 0, input: given }] }
    }
    if (!child || child.isActive) return { kind: 'waiting', wakeAt: null }
    if (!child.hasSucceeded) throw failed('The workflow it called', child)
    return { kind: 'done', output: (await readOutputs(needs, call)).get(child.place) ?? null }
  }

/** What was typed into a field and cannot be taken over yet; of the node whose panel it is in, else of the workflow. */
import { use } from 'react'
import { draftAt } from '../state/drafts.ts'
import { type Drafts, DraftsContext, type Kept } from '../use-drafts.ts'
import { ConfigContext } from './config-context.ts'

function useAllDrafts(): Drafts & { nodeId: string | undefined } {
  const drafts = use(DraftsContext)
  const nodeId = use(ConfigContext)?.nodeId
  if (drafts === undefined) throw new Error('a field of the editor belongs to its drafts')
  return { ...drafts, nodeId }
}

export function useDraft(path: string) {
  const { live, keep, nodeId } = useAllDrafts()
  return {
    draft: draftAt(live, { nodeId, path }),
    keep: (typed: Kept | undefined) => keep({ nodeId, path }, typed),
  }
}

/** Whether a part of it has one, which says itself what is wrong with it. */
export function useHasDraftIn(path: string): boolean {
  const { live, nodeId } = useAllDrafts()
  return live.some((draft) => draft.nodeId === nodeId && draft.path.startsWith(path))
}

/** Text typed into a field that can't be applied yet; belongs to the node of the panel, else to the workflow. */
import { use } from 'react'
import { draftAt } from '../state/drafts.ts'
import { type Drafts, DraftsContext, type Kept } from '../use-drafts.ts'
import { ConfigContext } from './config-context.ts'

function useAllDrafts(): Drafts & { nodeId: string | undefined } {
  const drafts = use(DraftsContext)
  const nodeId = use(ConfigContext)?.nodeId
  if (drafts === undefined) throw new Error('editor fields must be rendered inside the drafts provider')
  return { ...drafts, nodeId }
}

export function useDraft(path: string) {
  const { live, keep, nodeId } = useAllDrafts()
  return {
    draft: draftAt(live, { nodeId, path }),
    keep: (typed: Kept | undefined) => keep({ nodeId, path }, typed),
  }
}

/** True if a nested field has a draft, which then shows its own problem. */
export function useHasDraftIn(path: string): boolean {
  const { live, nodeId } = useAllDrafts()
  return live.some((draft) => draft.nodeId === nodeId && draft.path.startsWith(path))
}

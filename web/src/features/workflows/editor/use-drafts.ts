/** Text in the editor that hasn't been applied yet, for the graph on screen. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { createContext, useCallback, useEffect, useMemo, useState } from 'react'
import {
  type Draft,
  draftsOfNodes,
  type FieldPath,
  liveDrafts,
  type Typed,
  valueAt,
  withDraft,
  withoutDraft,
} from './state/drafts.ts'

export interface Kept extends Typed {
  /** The value the field will have if part of the text is applied right away; else its current value. */
  over?: unknown
}

/** Empty text removes the draft. */
type Keep = (field: FieldPath, typed: Kept | undefined) => void

export interface Drafts {
  live: readonly Draft[]
  keep: Keep
}

export const DraftsContext = createContext<Drafts | undefined>(undefined)

export function useDrafts(graph: Graph): Drafts {
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const keep = useCallback<Keep>(
    (field, typed) => {
      if (typed === undefined) return setDrafts((now) => withoutDraft(now, field))
      const { text, problem, unit } = typed
      const over = 'over' in typed ? JSON.stringify(typed.over) : valueAt(graph, field)
      setDrafts((now) => withDraft(now, { ...field, text, problem, ...(unit !== undefined && { unit }), over }))
    },
    [graph],
  )
  useEffect(() => setDrafts((now) => draftsOfNodes(graph, now)), [graph])
  return useMemo(() => ({ live: liveDrafts(graph, drafts), keep }), [graph, drafts, keep])
}

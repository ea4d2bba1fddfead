/** The editor's state and saving, connected to the page. Every change goes through here. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState, useSyncExternalStore } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { toast } from '#ui/feedback/toast.ts'
import { useWorkflow, workflowKeys } from '../api.ts'
import { withLayout } from '../graph/auto-layout.ts'
import { draftCalls } from './api.ts'
import { createDraftSaver } from './state/draft-saver.ts'
import { beginEditing, editorReducer, type Selection } from './state/editor-state.ts'
import { lostSecrets, withStoredSecrets } from './state/secrets.ts'

export interface EditOptions {
  /** Changes of the same kind are merged into one undo step. */
  kind?: string
  select?: Selection
}

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'graph_changed'

function useSaver(workflow: Workflow, graph: Graph, onSettled: (from: Graph, graph: Graph) => void) {
  const queryClient = useQueryClient()
  const { id } = workflow
  const stored = draftCalls(id)
  const [saver] = useState(() =>
    createDraftSaver<Workflow>(
      {
        put: async (next, hash) => {
          const reply = await stored.put(next, hash)
          // A read that was in flight during the save would show the old graph.
          await queryClient.cancelQueries({ queryKey: workflowKeys.one(id), exact: true })
          return reply
        },
        read: stored.read,
        onSaved: (reply) => {
          queryClient.setQueryData(workflowKeys.one(id), reply)
          // Lists, and comparisons with the draft, are refetched when they are next shown.
          void queryClient.invalidateQueries({
            queryKey: workflowKeys.all,
            predicate: ({ queryKey }) => queryKey.length > 2,
            refetchType: 'none',
          })
        },
        settle: (sent, reply) => {
          for (const name of lostSecrets(sent, reply.graph))
            toast.failed(new Error(`Enter the secret of “${name}” again.`))
          const settled = withStoredSecrets(sent, reply.graph)
          if (settled !== sent) onSettled(sent, settled)
          return settled
        },
        isConflict,
      },
      { graph, graph_hash: workflow.graph_hash },
    ),
  )
  const state = useSyncExternalStore(saver.subscribe, saver.state)
  useEffect(() => {
    const flush = () => void saver.flush()
    const onHide = () => document.visibilityState === 'hidden' && flush()
    window.addEventListener('online', flush)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      window.removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', onHide)
      // Nothing unsaved survives leaving the page.
      flush()
    }
  }, [saver])
  return { saver, state }
}

export function useEditing(workflow: Workflow, nodeId: string | undefined) {
  const [state, dispatch] = useReducer(editorReducer, undefined, () => beginEditing(withLayout(workflow.graph), nodeId))
  const graph = state.history.present
  const { saver, state: saveState } = useSaver(workflow, graph, (from, settled) =>
    dispatch({ type: 'settle', from, graph: settled }),
  )
  useEffect(() => saver.change(graph), [saver, graph])

  // If nothing was changed here yet, someone else's change is simply shown.
  const { data: latest } = useWorkflow(workflow.id)
  useEffect(() => {
    // The state may have changed since this render.
    if (saveState.kind !== 'saved' || saver.state().kind !== 'saved') return
    if (!latest || latest.graph_hash === saver.hash()) return
    const theirs = withLayout(latest.graph)
    saver.adopt(theirs, latest.graph_hash)
    dispatch({ type: 'adopt', graph: theirs, at: Date.now() })
  }, [latest, saveState, saver])

  const edit = useCallback(
    (change: (graph: Graph) => Graph, options: EditOptions = {}) =>
      dispatch({ type: 'edit', edit: change, at: Date.now(), ...options }),
    [],
  )
  const changeSelection = useCallback(
    (change: (now: Selection) => Selection) => dispatch({ type: 'select', change }),
    [],
  )
  const select = useCallback((selection: Selection) => changeSelection(() => selection), [changeSelection])
  const isSaved = useCallback(() => saver.state().kind === 'saved', [saver])
  const undo = useCallback(() => dispatch({ type: 'undo' }), [])
  const redo = useCallback(() => dispatch({ type: 'redo' }), [])
  const takeTheirs = useCallback(async () => {
    const sent = await saver.takeTheirs()
    const theirs = withLayout(sent)
    if (theirs !== sent) saver.adopt(theirs, saver.hash())
    dispatch({ type: 'adopt', graph: theirs, at: Date.now() })
  }, [saver])
  return {
    graph,
    selection: state.selection,
    canUndo: state.history.past.length > 0,
    canRedo: state.history.future.length > 0,
    saveState,
    problems: latest?.problems ?? workflow.problems,
    status: latest?.status ?? workflow.status,
    edit,
    select,
    changeSelection,
    undo,
    redo,
    takeTheirs,
    keepMine: saver.keepMine,
    flush: saver.flush,
    isSaved,
  }
}

export type Editing = ReturnType<typeof useEditing>

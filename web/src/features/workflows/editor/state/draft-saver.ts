/**
 * Keeps a draft on the server while it is being edited: a change is sent once the hand rests, one call at a time, upon
 * the hash of the graph it was made from. Somebody else's change in between is a conflict, which a person decides.
 */
import type { Graph } from '@chancery/contract/workflow-graph.ts'

export interface Saved {
  graph: Graph
  graph_hash: string
}

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'changed' }
  | { kind: 'saving' }
  | { kind: 'conflict' }
  | { kind: 'failed'; error: unknown }

export interface SaverPort<Reply extends Saved> {
  put: (graph: Graph, hash: string) => Promise<Reply>
  read: () => Promise<Reply>
  /** What the server says of the draft now, also after the editor is gone. */
  onSaved: (reply: Reply) => void
  /** The graph that was sent as it stands after the reply; the same object where it stands unchanged. */
  settle: (sent: Graph, reply: Reply) => Graph
  isConflict: (error: unknown) => boolean
  restMs?: number
}

export interface DraftSaver {
  state: () => SaveState
  subscribe: (listener: () => void) => () => void
  change: (graph: Graph) => void
  /** Sends what waits, at once. */
  flush: () => Promise<void>
  /** The server's graph in place of ours. */
  takeTheirs: () => Promise<Graph>
  /** Ours over the server's. */
  keepMine: () => Promise<void>
  /** Starts over from a graph that the server has. */
  adopt: (graph: Graph, hash: string) => void
  hash: () => string
}

const usualRestMs = 900

export function createDraftSaver<Reply extends Saved>(port: SaverPort<Reply>, first: Saved): DraftSaver {
  let hash = first.graph_hash
  let stored = first.graph
  let wanted = first.graph
  let state: SaveState = { kind: 'saved' }
  let timer: ReturnType<typeof setTimeout> | undefined
  let inHand: Promise<void> | undefined
  const listeners = new Set<() => void>()

  const become = (next: SaveState) => {
    state = next
    for (const listener of listeners) listener()
  }

  async function send(): Promise<void> {
    const sent = wanted
    become({ kind: 'saving' })
    try {
      const reply = await port.put(sent, hash)
      hash = reply.graph_hash
      stored = sent
      // What was changed since is sent next, and settled then.
      if (wanted === sent) {
        stored = port.settle(sent, reply)
        wanted = stored
      }
      port.onSaved(reply)
      become({ kind: wanted === stored ? 'saved' : 'changed' })
    } catch (error) {
      become(port.isConflict(error) ? { kind: 'conflict' } : { kind: 'failed', error })
    }
  }

  async function sendAll(): Promise<void> {
    do await send()
    while (state.kind === 'changed')
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    if (inHand) return inHand
    if (wanted === stored || state.kind === 'conflict') return Promise.resolve()
    inHand = sendAll().finally(() => {
      inHand = undefined
    })
    return inHand
  }

  const begin = (reply: Reply, graph: Graph) => {
    hash = reply.graph_hash
    stored = reply.graph
    wanted = graph
    port.onSaved(reply)
  }

  return {
    state: () => state,
    hash: () => hash,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (graph) => {
      if (graph === wanted) return
      wanted = graph
      if (state.kind === 'conflict') return
      clearTimeout(timer)
      // While a call is under way it will see the change itself when it ends.
      if (inHand) return
      become({ kind: wanted === stored ? 'saved' : 'changed' })
      if (wanted !== stored) timer = setTimeout(() => void flush(), port.restMs ?? usualRestMs)
    },
    flush,
    takeTheirs: async () => {
      const reply = await port.read()
      begin(reply, reply.graph)
      become({ kind: 'saved' })
      return reply.graph
    },
    keepMine: async () => {
      const reply = await port.read()
      begin(reply, wanted)
      become({ kind: 'changed' })
      await flush()
    },
    adopt: (graph, next) => {
      clearTimeout(timer)
      hash = next
      stored = graph
      wanted = graph
      become({ kind: 'saved' })
    },
  }
}

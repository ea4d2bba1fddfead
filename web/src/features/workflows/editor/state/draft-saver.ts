/**
 * Saves a draft while it is edited: a change is sent once editing pauses, one request at a time, with the hash of the
 * graph it is based on. If someone else changed the graph in between, the user resolves the conflict.
 */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { createListeners } from '#lib/browser/listeners.ts'

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
  /** Called with the server's state of the draft, also after the editor is closed. */
  onSaved: (reply: Reply) => void
  /** The sent graph after the server's reply; the same object if the server changed nothing. */
  settle: (sent: Graph, reply: Reply) => Graph
  isConflict: (error: unknown) => boolean
  restMs?: number
}

export interface DraftSaver {
  state: () => SaveState
  subscribe: (listener: () => void) => () => void
  change: (graph: Graph) => void
  /** Sends pending changes now. */
  flush: () => Promise<void>
  /** Replaces our graph with the server's. */
  takeTheirs: () => Promise<Graph>
  /** Overwrites the server's graph with ours. */
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
  let inFlight: Promise<void> | undefined
  const listeners = createListeners()

  const become = (next: SaveState) => {
    state = next
    listeners.tell()
  }

  async function send(): Promise<void> {
    const sent = wanted
    become({ kind: 'saving' })
    try {
      const reply = await port.put(sent, hash)
      hash = reply.graph_hash
      stored = sent
      // Changes made in the meantime are sent next and settled then.
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
    if (inFlight) return inFlight
    if (wanted === stored || state.kind === 'conflict') return Promise.resolve()
    inFlight = sendAll().finally(() => {
      inFlight = undefined
    })
    return inFlight
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
    subscribe: listeners.subscribe,
    change: (graph) => {
      if (graph === wanted) return
      wanted = graph
      if (state.kind === 'conflict') return
      clearTimeout(timer)
      // If a request is in flight, it picks up this change when it ends.
      if (inFlight) return
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

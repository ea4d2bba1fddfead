import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { graphOf } from '../../kinds/sample.ts'
import { createDraftSaver, type Saved } from './draft-saver.ts'

const conflict = new Error('graph_changed')

/** A server with one draft; its hash counts the writes. */
function server() {
  const first = { graph: graphOf('a'), graph_hash: '0' }
  let now: Saved = first
  let gate: Promise<void> | undefined
  const sent: Graph[] = []
  const put = async (graph: Graph, hash: string) => {
    sent.push(graph)
    await gate
    if (hash !== now.graph_hash) throw conflict
    now = { graph, graph_hash: String(Number(hash) + 1) }
    return now
  }
  const saver = createDraftSaver<Saved>(
    {
      put,
      read: async () => now,
      onSaved: () => undefined,
      settle: (sentGraph) => sentGraph,
      restMs: 100,
      isConflict: (error) => error === conflict,
    },
    first,
  )
  return {
    saver,
    sent,
    now: () => now,
    hold: () => {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = resolve
      })
      return () => {
        gate = undefined
        open()
      }
    },
    othersWrite: (graph: Graph) => {
      now = { graph, graph_hash: String(Number(now.graph_hash) + 1) }
    },
  }
}

const [b, c, theirs] = [graphOf('b'), graphOf('c'), graphOf('theirs')]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('saving a draft', () => {
  it('waits until editing pauses, and sends the latest graph', async () => {
    const { saver, sent, now } = server()
    saver.change(b)
    expect(saver.state().kind).toBe('changed')
    await vi.advanceTimersByTimeAsync(60)
    saver.change(c)
    await vi.advanceTimersByTimeAsync(60)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(60)
    expect(sent).toEqual([c])
    expect(now().graph).toBe(c)
    expect(saver.state().kind).toBe('saved')
  })

  it('sends one request at a time, then what changed in between', async () => {
    const { saver, sent, hold } = server()
    const release = hold()
    saver.change(b)
    await vi.advanceTimersByTimeAsync(100)
    saver.change(c)
    expect(sent).toEqual([b])
    release()
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toEqual([b, c])
    expect(saver.state().kind).toBe('saved')
  })

  it('sends immediately when leaving', async () => {
    const { saver, now } = server()
    saver.change(b)
    await saver.flush()
    expect(now().graph).toBe(b)
  })

  it('saves again when a change is reverted before it was sent', () => {
    const { saver, now } = server()
    saver.change(b)
    saver.change(now().graph)
    expect(saver.state().kind).toBe('saved')
  })

  it("reports a conflict instead of overwriting someone else's change, and stops saving", async () => {
    const { saver, sent, othersWrite } = server()
    othersWrite(theirs)
    saver.change(b)
    await vi.advanceTimersByTimeAsync(100)
    expect(saver.state().kind).toBe('conflict')
    saver.change(c)
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent).toEqual([b])
  })

  it("takes the server's graph when told to", async () => {
    const { saver, othersWrite, now } = server()
    othersWrite(theirs)
    saver.change(b)
    await saver.flush()
    expect(await saver.takeTheirs()).toBe(theirs)
    expect(saver.state().kind).toBe('saved')
    saver.change(c)
    await saver.flush()
    expect(now().graph).toBe(c)
  })

  it("overwrites the server's graph when told to, including later changes", async () => {
    const { saver, othersWrite, now } = server()
    othersWrite(theirs)
    saver.change(b)
    await saver.flush()
    saver.change(c)
    await saver.keepMine()
    expect(now().graph).toBe(c)
    expect(saver.state().kind).toBe('saved')
  })

  it('continues with the graph as the server normalized it', async () => {
    const first = { graph: graphOf('a'), graph_hash: '0' }
    const put = vi.fn(async (graph: Graph) => ({ graph, graph_hash: '1' }))
    const saver = createDraftSaver<Saved>(
      { put, read: async () => first, onSaved: () => undefined, settle: () => c, isConflict: () => false },
      first,
    )
    saver.change(b)
    await saver.flush()
    saver.change(c)
    await saver.flush()
    expect(put).toHaveBeenCalledOnce()
  })

  it('keeps what could not be sent, and retries when asked', async () => {
    const first = { graph: graphOf('a'), graph_hash: '0' }
    const put = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue({ graph: b, graph_hash: '1' })
    const saver = createDraftSaver<Saved>(
      { put, read: async () => first, onSaved: () => undefined, settle: (graph) => graph, isConflict: () => false },
      first,
    )
    saver.change(b)
    await saver.flush()
    expect(saver.state()).toMatchObject({ kind: 'failed' })
    await saver.flush()
    expect(saver.state().kind).toBe('saved')
  })
})

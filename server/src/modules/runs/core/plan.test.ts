/** Whatever the graph and the order in which nodes end: each runs at most once, in order, and every run ends. */
import type { GraphEdge } from '@chancery/contract/workflows/graph.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edge, node } from '#test/harness/workflows.ts'
import { endsOf, followedSources, type Outcome, planNext, wire } from './plan.ts'

const handles = [undefined, 'true', 'false'] as const

/** Edges lead from lower to higher numbers: no circles. */
const graphs = fc.integer({ min: 1, max: 12 }).chain((count) => {
  const end = fc.nat({ max: count - 1 })
  const edges = fc.uniqueArray(fc.tuple(end, end, fc.constantFrom(...handles)), {
    maxLength: 30,
    selector: (one) => one.join(),
  })
  return edges.map((list) => ({
    nodes: Array.from({ length: count }, (_, index) => node(`n${index}`)),
    edges: list
      .filter(([from, to]) => from < to)
      .map(([from, to, handle]): GraphEdge => edge(`n${from}`, `n${to}`, handle)),
  }))
})
const choices = fc.array(fc.tuple(fc.nat(), fc.constantFrom(null, 'true', 'false')), { minLength: 12, maxLength: 12 })

/** Simulates a run: one of the running nodes ends, with a chosen handle. */
const play = (graph: Parameters<typeof wire>[0], picks: readonly [number, string | null][], isStepwise: boolean) => {
  const wiring = wire(graph)
  const outcomes = new Map<string, Outcome>()
  const running = new Set<string>()
  const started: string[] = []
  const advance = (after?: string[]) => {
    const { ready, unreachable } = planNext(wiring, outcomes, isStepwise ? after : undefined)
    for (const id of unreachable) outcomes.set(id, 'skipped')
    for (const id of ready.filter((one) => !running.has(one))) {
      running.add(id)
      started.push(id)
      const open = (wiring.incoming.get(id) ?? []).filter(({ source }) => !outcomes.has(source))
      expect(open).toEqual([])
    }
  }
  advance()
  for (const [pick, handle] of picks) {
    // By name: the two ways to plan may find the same nodes in another order.
    const ids = [...running].sort()
    const id = ids[pick % Math.max(1, ids.length)]
    if (id === undefined) break
    running.delete(id)
    outcomes.set(id, { handle })
    advance([id])
  }
  return { wiring, outcomes, running, started }
}

describe('the plan', () => {
  it('starts each node at most once, leaves none hanging, and starts none that was not reached', () => {
    fc.assert(
      fc.property(graphs, choices, (graph, picks) => {
        const { wiring, outcomes, running, started } = play(graph, picks, true)
        expect(new Set(started).size).toBe(started.length)
        expect(running.size).toBe(0)
        expect(outcomes.size).toBe(graph.nodes.length)
        for (const id of started)
          expect((wiring.incoming.get(id) ?? []).length === 0 || followedSources(wiring, outcomes, id).length > 0).toBe(
            true,
          )
        for (const [id, outcome] of outcomes)
          if (outcome === 'skipped') expect(followedSources(wiring, outcomes, id)).toEqual([])
        expect(endsOf(wiring, outcomes).length).toBeGreaterThan(0)
      }),
    )
  })

  it('is the same whether it checks what changed or everything, as after a crash', () => {
    fc.assert(
      fc.property(graphs, choices, (graph, picks) => {
        const stepwise = play(graph, picks, true)
        const complete = play(graph, picks, false)
        expect(complete.started).toHaveLength(stepwise.started.length)
        expect(new Set(complete.started)).toEqual(new Set(stepwise.started))
      }),
    )
  })

  it('ends at a circle instead of waiting for it', () => {
    const wiring = wire({ nodes: [node('a'), node('b')], edges: [edge('a', 'b'), edge('b', 'a')] })
    expect(planNext(wiring, new Map())).toEqual({ ready: [], unreachable: [] })
  })

  it('runs a merge of any branch with the first that arrives, and once', () => {
    const merge = node('m', { mode: 'any' }, 'merge')
    const graph = { nodes: [node('a'), node('b'), merge], edges: [edge('a', 'm'), edge('b', 'm', 'true')] }
    const wiring = wire(graph)
    const ended = { handle: null }
    expect(planNext(wiring, new Map([['a', ended]]), ['a']).ready).toEqual(['m'])
    expect(planNext(wiring, new Map([['b', ended]]), ['b'])).toEqual({ ready: [], unreachable: [] })
    const done = new Map<string, Outcome>([...['a', 'b', 'm'].map((id) => [id, ended] as const)])
    expect(planNext(wiring, done, ['b']).ready).toEqual([])
    expect(
      planNext(
        wiring,
        new Map<string, Outcome>([
          ['a', 'skipped'],
          ['b', ended],
        ]),
        ['b'],
      ).unreachable,
    ).toEqual(['m'])
  })
})

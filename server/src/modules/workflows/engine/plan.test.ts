/** Whatever the graph, and in whatever order its nodes end: each runs at most once, in order, and every run ends. */
import type { GraphEdge } from '@chancery/contract/workflow-graph.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edge, node } from '#test/harness/workflows.ts'
import { endsOf, type Outcome, planNext, takenSources, wire } from './plan.ts'

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

/** Plays a run: of the nodes under way a chosen one ends, by a chosen handle. */
const play = (graph: Parameters<typeof wire>[0], picks: readonly [number, string | null][], isStepwise: boolean) => {
  const wiring = wire(graph)
  const outcomes = new Map<string, Outcome>()
  const underWay = new Set<string>()
  const entered: string[] = []
  const advance = (after?: string[]) => {
    const { ready, dead } = planNext(wiring, outcomes, isStepwise ? after : undefined)
    for (const id of dead) outcomes.set(id, 'dead')
    for (const id of ready.filter((one) => !underWay.has(one))) {
      underWay.add(id)
      entered.push(id)
      const open = (wiring.waysIn.get(id) ?? []).filter(({ source }) => !outcomes.has(source))
      expect(open).toEqual([])
    }
  }
  advance()
  for (const [pick, handle] of picks) {
    // By name: the two ways to plan may find the same nodes in another order.
    const ids = [...underWay].sort()
    const id = ids[pick % Math.max(1, ids.length)]
    if (id === undefined) break
    underWay.delete(id)
    outcomes.set(id, { handle })
    advance([id])
  }
  return { wiring, outcomes, underWay, entered }
}

describe('the plan', () => {
  it('enters each node at most once, leaves none hanging, and enters none that was not led to', () => {
    fc.assert(
      fc.property(graphs, choices, (graph, picks) => {
        const { wiring, outcomes, underWay, entered } = play(graph, picks, true)
        expect(new Set(entered).size).toBe(entered.length)
        expect(underWay.size).toBe(0)
        expect(outcomes.size).toBe(graph.nodes.length)
        for (const id of entered)
          expect((wiring.waysIn.get(id) ?? []).length === 0 || takenSources(wiring, outcomes, id).length > 0).toBe(true)
        for (const [id, outcome] of outcomes)
          if (outcome === 'dead') expect(takenSources(wiring, outcomes, id)).toEqual([])
        expect(endsOf(wiring, outcomes).length).toBeGreaterThan(0)
      }),
    )
  })

  it('says the same whether it looks at what changed or at everything, as after a crash', () => {
    fc.assert(
      fc.property(graphs, choices, (graph, picks) => {
        const stepwise = play(graph, picks, true)
        const anew = play(graph, picks, false)
        expect(anew.entered).toHaveLength(stepwise.entered.length)
        expect(new Set(anew.entered)).toEqual(new Set(stepwise.entered))
      }),
    )
  })

  it('ends at a circle instead of waiting for it', () => {
    const wiring = wire({ nodes: [node('a'), node('b')], edges: [edge('a', 'b'), edge('b', 'a')] })
    expect(planNext(wiring, new Map())).toEqual({ ready: [], dead: [] })
  })
})

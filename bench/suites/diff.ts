/**
 * Compares two versions: two graphs of 1,000 nodes and 2,000 edges, in which every fifth node has a changed prompt of
 * 40 lines, some nodes were added, some removed and all moved. Prints the median (limit 50 ms).
 */
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { diffGraphs } from '../../server/src/modules/workflow-graph/diff.ts'

const size = 1000
const rounds = 40
const limitMs = 50

const prompt = (index: number, changed: string): string =>
  Array.from({ length: 40 }, (_, line) => `Line ${line} of node ${index}${line % 13 === 7 ? changed : ''}`).join('\n')

const node = (index: number, version: number): GraphNode => ({
  id: `n${index}`,
  type: 'agent',
  name: `Node ${index}`,
  position: { x: index * version, y: version },
  config: {
    model: 'm',
    tools: ['a', 'b'],
    output_schema: { type: 'object', properties: { text: { type: 'string' } } },
    prompt: prompt(index, index % 5 === 0 ? `, version ${version}` : ''),
  },
})

/** The second version lacks the first ten nodes and has ten more. */
const graph = (version: number): Graph => {
  const first = (version - 1) * 10
  const ids = Array.from({ length: size }, (_, index) => first + index)
  const edge = (source: number, target: number) => ({
    id: `${source}-${target}`,
    source: `n${source}`,
    target: `n${target}`,
  })
  return {
    nodes: ids.map((index) => node(index, version)),
    edges: ids.slice(2).flatMap((index) => [edge(index - 1, index), edge(index - 2, index)]),
    settings: { deadline_sec: 60 * version },
  }
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

export const run = async (): Promise<void> => {
  const [before, after] = [graph(1), graph(2)]
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    diffGraphs(before, after)
    return performance.now() - startedAt
  })
  const { summary } = diffGraphs(before, after)
  const ms = median(times)
  console.log(`two graphs of ${size} nodes: ${summary.text}`)
  console.log(
    `first comparison ${times[0]?.toFixed(1)} ms, median ${ms.toFixed(1)} ms (limit ${limitMs}, ratio ${(ms / limitMs).toFixed(2)})`,
  )
  if (ms > limitMs) process.exitCode = 1
}

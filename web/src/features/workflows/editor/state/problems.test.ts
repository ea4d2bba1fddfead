import { describe, expect, it } from 'vitest'
import { placeProblems, problemsByNode } from './problems.ts'
import { graphOf } from './sample.ts'

const graph = graphOf('a b', 'a>b')
const at = (part: object) => ({ node_id: null, edge_id: null, field: null, message: 'is missing', ...part })

describe('problems of a graph', () => {
  it('have a readable location', () => {
    expect(placeProblems(graph, [at({ node_id: 'a', field: 'config.cases[0].expression' })])).toEqual([
      {
        key: '0',
        nodeId: 'a',
        field: 'cases',
        part: 'Case 1, expression',
        place: 'A · Case 1, expression',
        message: 'Is missing.',
      },
    ])
  })

  it('of an edge belong to the node it starts from', () => {
    const [problem] = placeProblems(graph, [at({ edge_id: 'a-b', field: 'source_handle' })])
    expect(problem).toMatchObject({ nodeId: 'a', field: undefined })
  })

  it('of the whole graph belong to no node', () => {
    expect(placeProblems(graph, [at({})])[0]).toMatchObject({ nodeId: undefined, place: 'Workflow' })
  })

  it('of the settings link to the settings', () => {
    const [problem] = placeProblems(graph, [at({ field: 'settings.deadline_sec' })])
    expect(problem).toMatchObject({ nodeId: undefined, place: 'Workflow settings · Run deadline' })
    expect(problem?.field).toBeDefined()
  })

  it('of deleted nodes are left out', () => {
    expect(placeProblems(graph, [at({ node_id: 'gone' }), at({ edge_id: 'gone' })])).toEqual([])
  })

  it('are grouped by node', () => {
    const placed = placeProblems(graph, [at({ node_id: 'a', field: 'config.model' }), at({ node_id: 'a' })])
    expect(problemsByNode(placed)).toEqual(new Map([['a', ['Model: Is missing.', 'Is missing.']]]))
  })
})

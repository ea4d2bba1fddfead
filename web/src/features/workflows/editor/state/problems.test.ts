import { describe, expect, it } from 'vitest'
import { placeProblems, problemsByNode } from './problems.ts'
import { graphOf } from './sample.ts'

const graph = graphOf('a b', 'a>b')
const at = (part: object) => ({ node_id: null, edge_id: null, field: null, message: 'is missing', ...part })

describe('what is to be mended', () => {
  it('is placed at its node and field, in words', () => {
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

  it('of an edge is mended where the edge begins', () => {
    const [problem] = placeProblems(graph, [at({ edge_id: 'a-b', field: 'source_handle' })])
    expect(problem).toMatchObject({ nodeId: 'a', field: undefined })
  })

  it('of the whole belongs to no node', () => {
    expect(placeProblems(graph, [at({})])[0]).toMatchObject({ nodeId: undefined, place: 'The whole workflow' })
  })

  it('of the settings leads to them', () => {
    const [problem] = placeProblems(graph, [at({ field: 'settings.deadline_sec' })])
    expect(problem).toMatchObject({ nodeId: undefined, place: 'Workflow settings · Deadline of a run' })
    expect(problem?.field).toBeDefined()
  })

  it('is not told of what was deleted since', () => {
    expect(placeProblems(graph, [at({ node_id: 'gone' }), at({ edge_id: 'gone' })])).toEqual([])
  })

  it('is gathered for each card', () => {
    const placed = placeProblems(graph, [at({ node_id: 'a', field: 'config.model' }), at({ node_id: 'a' })])
    expect(problemsByNode(placed)).toEqual(new Map([['a', ['Model: Is missing.', 'Is missing.']]]))
  })
})
